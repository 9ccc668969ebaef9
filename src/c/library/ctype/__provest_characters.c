#include <provest/character.h>
const char __provest_characters[384];
