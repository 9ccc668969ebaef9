/* sheredom/json.h: its own tests, which only have their `main` in C++. */
#include "test/utest.h"

UTEST_MAIN()
