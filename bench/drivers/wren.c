/* Wren: a script with classes, closures, fibers and errors. */
#include <stdio.h>
#include "wren.h"

static void write(WrenVM *vm, const char *text) { (void)vm; printf("%s", text); }
static void error(WrenVM *vm, WrenErrorType type, const char *module, int line, const char *message) { (void)vm;
  printf("error %d %s:%d %s\n", type, module ? module : "", line, message); }

static const char *script =
  "class Animal {\n  construct new(name) { _name = name }\n  name { _name }\n"
  "  speak() { System.print(\"%(name) says nothing\") }\n}\n"
  "class Dog is Animal {\n  construct new(name) { super(name) }\n  speak() { System.print(\"%(name) barks\") }\n}\n"
  "for (a in [Animal.new(\"Cat\"), Dog.new(\"Rex\")]) a.speak()\n"
  "var fib = null\nfib = Fn.new {|n| n < 2 ? n : fib.call(n - 1) + fib.call(n - 2) }\nSystem.print(fib.call(12))\n"
  "var fiber = Fiber.new {\n  for (i in 1..3) Fiber.yield(i * i)\n  \"done\"\n}\n"
  "while (!fiber.isDone) System.print(fiber.call())\n"
  "var map = {\"a\": 1, \"b\": [1.5, -2, 1/3]}\nSystem.print(map[\"b\"].map {|x| x * 2 }.toList)\n"
  "System.print((1..20).where {|x| x % 3 == 0 }.reduce {|a, b| a + b })\n"
  "System.print(\"h\u00e9llo\".bytes.count)\nSystem.print(\"a,b,c\".split(\",\"))\n"
  "System.print(Fiber.new { Fiber.abort(\"caught\") }.try())\n"
  "var list = []\nfor (i in 0...50) list.add((i * 37) % 50)\nlist.sort()\nSystem.print(list[0..5])\n"
  "System.gc()\nnull.missing\n";

int main(void) {
  WrenConfiguration configuration;
  wrenInitConfiguration(&configuration);
  configuration.writeFn = write;
  configuration.errorFn = error;
  WrenVM *vm = wrenNewVM(&configuration);
  printf("%d\n", wrenInterpret(vm, "main", script));
  printf("%d\n", wrenInterpret(vm, "other", "var x = \nclass {"));
  wrenFreeVM(vm);
  return 0;
}
