#ifndef PROVEST_SIGNALS_H
#define PROVEST_SIGNALS_H
#include <signal.h>
/* Of a set of signals: that of number n is bit n - 1. */
struct provest_signals { unsigned long long blocked; unsigned long long pending; };
extern struct provest_signals __provest_signals;
extern void (*__provest_handlers[65])(int);
extern struct sigaction __provest_actions[65];
#define PROVEST_SIGNAL_BIT(number) (1ull << ((number) - 1))
/* The signal reaches the program, which may end; then those that were waiting for its handler to be done. */
void __provest_deliver(int number);
#endif
