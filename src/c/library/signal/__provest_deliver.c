#include <provest/signals.h>
#include <stdlib.h>

/* Without a handler the program ends as shells report it, but for those that are ignored then and those that stop it
 * until it is continued. */
static int ends_program(int number) {
  switch (number) {
    case SIGCHLD: case SIGCONT: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGURG: case SIGWINCH:
      return 0;
    default: return 1;
  }
}

static void deliver_one(int number) {
  void (*handler)(int) = __provest_handlers[number];
  unsigned long long before = __provest_signals.blocked;
  int flags = __provest_actions[number].sa_flags;
  if (handler == SIG_IGN) return;
  if (handler == SIG_DFL) {
    if (ends_program(number)) _Exit(128 + number);
    return;
  }
  if ((flags & SA_RESETHAND) != 0) __provest_handlers[number] = SIG_DFL;
  __provest_signals.blocked |= __provest_actions[number].sa_mask.provest_bits
    | ((flags & SA_NODEFER) != 0 ? 0 : PROVEST_SIGNAL_BIT(number));
  handler(number);
  __provest_signals.blocked = before;
}

void __provest_deliver(int number) {
  if (number != 0) deliver_one(number);
  while ((__provest_signals.pending & ~__provest_signals.blocked) != 0) {
    unsigned long long ready = __provest_signals.pending & ~__provest_signals.blocked;
    int next = 1;
    for (; (ready & 1) == 0; ready >>= 1) next++;
    __provest_signals.pending &= ~PROVEST_SIGNAL_BIT(next);
    deliver_one(next);
  }
}
