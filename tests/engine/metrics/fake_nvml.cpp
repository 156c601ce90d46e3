// SPDX-License-Identifier: Apache-2.0
// A driver library with two GPUs: one that knows everything, one without power and with a lost handle of memory.
#define FAKE extern "C" __attribute__((visibility("default")))

namespace {
int devices[2];
constexpr int kSuccess = 0, kNotSupported = 3, kLost = 15;
bool isFirst(const void* device) {
    return device == &devices[0];
}
}  // namespace

FAKE int nvmlInit_v2() {
    return kSuccess;
}
FAKE int nvmlShutdown() {
    return kSuccess;
}
FAKE int nvmlDeviceGetCount_v2(unsigned int* count) {
    *count = 2;
    return kSuccess;
}
FAKE int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
    *device = &devices[index];
    return kSuccess;
}
FAKE int nvmlDeviceGetTemperature(void* device, int, unsigned int* celsius) {
    *celsius = isFirst(device) ? 61 : 40;
    return kSuccess;
}
FAKE int nvmlDeviceGetMemoryInfo(void* device, unsigned long long* memory) {
    if (!isFirst(device))
        return kLost;
    memory[0] = 8000;
    memory[1] = 5000;
    memory[2] = 3000;
    return kSuccess;
}
FAKE int nvmlDeviceGetUtilizationRates(void*, unsigned int* rates) {
    rates[0] = 75;
    rates[1] = 10;
    return kSuccess;
}
FAKE int nvmlDeviceGetPowerUsage(void* device, unsigned int* milliwatts) {
    *milliwatts = 250500;
    return isFirst(device) ? kSuccess : kNotSupported;
}
