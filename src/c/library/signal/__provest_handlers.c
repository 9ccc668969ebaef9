void (*__provest_handlers[65])(int);
