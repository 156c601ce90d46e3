// SPDX-License-Identifier: Apache-2.0
// Small matrix products on raw pointers inside one thread, by the BLAS that LibTorch brings along (ATen's own entry to
// it is not exported). All matrices are row-major with a leading dimension; large products go through ATen instead.
#pragma once

#include <cstdint>

extern "C" {
void sgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const float* alpha,
            const float* a, const int* lda, const float* b, const int* ldb, const float* beta, float* c,
            const int* ldc);
void dgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
}

namespace unmask::cpu {

template <class T>
struct MatrixRef {
    const T* data;
    int64_t stride;
};

template <class T>
struct GemmShape {
    int64_t rows, columns, inner;  // of the result, and the summed dimension
    T alpha = 1;
    T beta = 0;
};

inline void columnMajorGemm(const char* ta, const char* tb, const GemmShape<float>& s, const MatrixRef<float>& a,
                            const MatrixRef<float>& b, float* c, int64_t ldc) {
    const int m = static_cast<int>(s.columns), n = static_cast<int>(s.rows), k = static_cast<int>(s.inner);
    const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride), ld = static_cast<int>(ldc);
    sgemm_(ta, tb, &m, &n, &k, &s.alpha, a.data, &lda, b.data, &ldb, &s.beta, c, &ld);
}
inline void columnMajorGemm(const char* ta, const char* tb, const GemmShape<double>& s, const MatrixRef<double>& a,
                            const MatrixRef<double>& b, double* c, int64_t ldc) {
    const int m = static_cast<int>(s.columns), n = static_cast<int>(s.rows), k = static_cast<int>(s.inner);
    const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride), ld = static_cast<int>(ldc);
    dgemm_(ta, tb, &m, &n, &k, &s.alpha, a.data, &lda, b.data, &ldb, &s.beta, c, &ld);
}

// c = alpha · a bᵀ + beta · c, with a (rows, inner) and b (columns, inner)
template <class T>
void timesTransposed(const GemmShape<T>& shape, MatrixRef<T> a, MatrixRef<T> b, T* c, int64_t ldc) {
    columnMajorGemm("T", "N", shape, b, a, c, ldc);
}
// c = alpha · a b + beta · c, with a (rows, inner) and b (inner, columns)
template <class T>
void times(const GemmShape<T>& shape, MatrixRef<T> a, MatrixRef<T> b, T* c, int64_t ldc) {
    columnMajorGemm("N", "N", shape, b, a, c, ldc);
}
// c = alpha · aᵀ b + beta · c, with a (inner, rows) and b (inner, columns)
template <class T>
void transposedTimes(const GemmShape<T>& shape, MatrixRef<T> a, MatrixRef<T> b, T* c, int64_t ldc) {
    columnMajorGemm("N", "T", shape, b, a, c, ldc);
}

}  // namespace unmask::cpu
