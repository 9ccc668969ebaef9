#define NANOSVG_IMPLEMENTATION
#define NANOSVGRAST_IMPLEMENTATION
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "nanosvg.h"
#include "nanosvgrast.h"
int main(void) {
  char text[] = "<svg width='64' height='48'><g transform='translate(4,4) scale(1.5)'><rect x='1' y='2' "
      "width='20' height='10' fill='#f80' stroke='black'/><circle cx='20' cy='15' r='8' fill='blue' "
      "opacity='0.5'/></g><path d='M10 10 C 20 20, 40 20, 50 10 L 60 40 z' fill='none' stroke='#123456' "
      "stroke-width='2'/></svg>";
  NSVGimage *image = nsvgParse(text, "px", 96); unsigned char *pixels = calloc(64 * 48, 4);
  NSVGrasterizer *r = nsvgCreateRasterizer(); long sum = 0;
  for (NSVGshape *s = image->shapes; s; s = s->next) { int n = 0; for (NSVGpath *p = s->paths; p; p = p->next) n +=
      p->npts; printf("%x %.2f %.2f %.2f %.2f %d %.2f\n", s->fill.color, s->bounds[0], s->bounds[1], s->bounds[2],
      s->bounds[3], n, s->strokeWidth); }
  nsvgRasterize(r, image, 0, 0, 1, pixels, 64, 48, 64 * 4); for (int i = 0; i < 64 * 48 * 4; i++) sum += pixels[i] *
      (i % 7 + 1);
  printf("%.0f %.0f %ld\n", image->width, image->height, sum); nsvgDeleteRasterizer(r); nsvgDelete(image); free(pixels);
  return 0;
}
