#ifndef PROVEST_SCHED_H
#define PROVEST_SCHED_H
/* There is one thread, to which all time is left. */
int sched_yield(void);
#endif
