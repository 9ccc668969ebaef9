#include <stdio.h>
#include "lua.h"
#include "lauxlib.h"
#include "lualib.h"
static const char *program =
  "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end print(fib(12))\n"
  "local t = {} for i = 1, 50 do t[i] = (i * 37) % 51 end table.sort(t) print(table.concat(t, ','))\n"
  "print(string.format('%5.2f %s %d %q', math.pi, 'abc', 42, 'a\\nb'), ('hello world'):gsub('o', '0'))\n"
  "local mt = setmetatable({}, { __index = function(_, k) return k .. '!' end, __add = function(a, b) return "
  "'sum' end }) print(mt.x, mt + 1)\n"
  "print(#'text', 7 // 2, 7 % -3, 2^10, 1 << 40, 0x7fffffffffffffff + 1, 10 / 4, tostring(nil), select('#', 1, 2, 3))\n"
  "print(pcall(error, 'caught')) print(pcall(function() return #nil end)) print(select(2, pcall(error, { code = 7 "
  "})).code)\n"
  "print(xpcall(function() error('deep', 0) end, function(m) return m .. ' handled' end)) print(load('x = = 1'))\n"
  "local co = coroutine.wrap(function(a) for i = 1, 3 do a = a + coroutine.yield(a * i) end error('end', 0) end)\n"
  "print(co(10), co(1), co(2), pcall(co, 3)) print(pcall(co))\n"
  "local function nest(n) if n == 0 then error('bottom', 0) end local ok, why = pcall(nest, n - 1) error(why .. "
  "n, 0) end print(pcall(nest, 8))\n"
  "local s = 0 for w in ('the quick brown fox'):gmatch('%a+') do s = s + #w end print(s) goto done do print('no') "
  "end ::done:: print(utf8.char(228, 8364))\n";
int main(void) {
  lua_State *L = luaL_newstate(); luaL_openlibs(L);
  if (luaL_loadstring(L, program) != 0 || lua_pcall(L, 0, 0, 0) != 0) printf("error: %s\n", lua_tostring(L, -1));
  lua_close(L);
  return 0;
}
