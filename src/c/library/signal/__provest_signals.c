#include <provest/signals.h>
struct provest_signals __provest_signals;
