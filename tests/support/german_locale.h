// SPDX-License-Identifier: Apache-2.0
// A locale with decimal commas, made with localedef where the system has none.
#pragma once

namespace unmask::test {

// Sets LC_ALL to de_DE.UTF-8 for the life of the object; `active()` is false where that cannot be had.
class GermanLocale {
 public:
    GermanLocale();
    ~GermanLocale();
    GermanLocale(const GermanLocale&) = delete;
    GermanLocale& operator=(const GermanLocale&) = delete;
    bool active() const { return m_active; }

 private:
    bool m_active = false;
};

}  // namespace unmask::test
