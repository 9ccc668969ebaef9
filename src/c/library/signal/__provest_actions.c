#include <signal.h>
/* What was said of a signal beside its handler. */
struct sigaction __provest_actions[65];
