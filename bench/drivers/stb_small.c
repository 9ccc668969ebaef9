#include <stdio.h>
#include <string.h>
#include <limits.h>
#define STB_PERLIN_IMPLEMENTATION
#include "stb_perlin.h"
#define STB_RECT_PACK_IMPLEMENTATION
#include "stb_rect_pack.h"
#define STB_DIVIDE_IMPLEMENTATION
#include "stb_divide.h"
#define STB_C_LEXER_IMPLEMENTATION
#include "stb_c_lexer.h"
#include "stb_easy_font.h"
#define STB_DXT_IMPLEMENTATION
#include "stb_dxt.h"
int main(void) {
  for (int i = 0; i < 12; i++) printf("%.5f %.5f %.5f|", stb_perlin_noise3(i * .37f, i * .11f, -i * .23f, 0, 0, 0),
      stb_perlin_fbm_noise3(i * .3f, 1, 2, 2, .5f, 4), stb_perlin_ridge_noise3(i * .3f, 1, 2, 2, .5f, 1, 3));
  stbrp_context c; stbrp_node nodes[64]; stbrp_rect rects[40];
  for (int i = 0; i < 40; i++) rects[i] = (stbrp_rect) { .id = i, .w = 5 + i * 7 % 23, .h = 3 + i * 11 % 17 };
  stbrp_init_target(&c, 64, 96, nodes, 64);
  printf("\n%d", stbrp_pack_rects(&c, rects, 40));
  for (int i = 0; i < 40; i++) printf(" %d,%d%s", rects[i].x, rects[i].y, rects[i].was_packed ? "" : "!");
  printf("\n");
  for (int a = -7; a <= 7; a += 3) for (int b = -3; b <= 3; b += 2) printf("%d %d %d %d ", stb_div_trunc(a, b),
      stb_div_floor(a, b), stb_div_eucl(a, b), stb_mod_eucl(a, b));
  static const char code[] = "int x = 0x1f + 3.5e2; /* c */ \"s\\n\\x41\" 'q' a->b <<= != // end\n if (y) { z++; }";
  char store[200]; stb_lexer lex;
  stb_c_lexer_init(&lex, code, code + strlen(code), store, sizeof store);
  printf("\n");
  while (stb_c_lexer_get_token(&lex)) { if (lex.token == CLEX_parse_error) { printf("error"); break; }
    printf("%ld", lex.token); if (lex.token == CLEX_id || lex.token == CLEX_dqstring) printf("<%s>", lex.string);
    if (lex.token == CLEX_intlit) printf("=%ld", lex.int_number);
    if (lex.token == CLEX_floatlit) printf("=%g", lex.real_number); printf(" "); }
  static float quads[20000]; int n = stb_easy_font_print(1, 2, "Hello, world!\nagain", NULL, quads, sizeof quads);
  float sum = 0; for (int i = 0; i < n * 4; i++) sum += quads[i * 4] + 3 * quads[i * 4 + 1];
  printf("\n%d %.2f %d %d\n", n, sum, stb_easy_font_width("Hello"), stb_easy_font_height("a\nb"));
  unsigned char block[64], out[16];
  for (int k = 0; k < 4; k++) { for (int i = 0; i < 64; i++) block[i] = (unsigned char)(i * (k * 5 + 3) ^ k * 40);
    stb_compress_dxt_block(out, block, 1, k & 1 ? STB_DXT_HIGHQUAL : STB_DXT_NORMAL);
    for (int i = 0; i < 16; i++) printf("%02x", out[i]); printf(" "); }
  printf("\n");
  return 0;
}
