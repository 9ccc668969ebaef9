/* KISS FFT: complex, real and two-dimensional transforms of sizes with various factors, there and back. */
#include <stdio.h>
#include <stdlib.h>
#include "kiss_fft.h"
#include "kiss_fftnd.h"
#include "kiss_fftr.h"

int main(void) {
  static const int sizes[] = { 1, 2, 4, 15, 21, 64, 120 };
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int n = sizes[s];
    kiss_fft_cpx *in = calloc(n, sizeof *in), *out = calloc(n, sizeof *out), *back = calloc(n, sizeof *back);
    for (int i = 0; i < n; i++) { in[i].r = (float)(i * 7 % 11) - 5; in[i].i = (float)(i % 3); }
    kiss_fft_cfg forward = kiss_fft_alloc(n, 0, NULL, NULL), inverse = kiss_fft_alloc(n, 1, NULL, NULL);
    kiss_fft(forward, in, out);
    kiss_fft(inverse, out, back);
    for (int i = 0; i < n; i += 1 + n / 8) printf("%d %d: %.3f %.3f %.3f\n", n, i, out[i].r, out[i].i, back[i].r / n);
    if (n % 2 == 0) {
      kiss_fft_scalar *real = calloc(n, sizeof *real);
      kiss_fft_cpx *half = calloc(n / 2 + 1, sizeof *half);
      for (int i = 0; i < n; i++) real[i] = (float)(i % 5);
      kiss_fftr_cfg r = kiss_fftr_alloc(n, 0, NULL, NULL);
      kiss_fftr(r, real, half);
      printf("real %d: %.3f %.3f next %d\n", n, half[n / 2].r, half[n / 4].i, kiss_fft_next_fast_size(n * 7 + 1));
      free(r); free(real); free(half);
    }
    free(forward); free(inverse); free(in); free(out); free(back);
  }
  int dims[] = { 6, 10 };
  kiss_fft_cpx image[60], spectrum[60];
  for (int i = 0; i < 60; i++) { image[i].r = (float)(i % 7); image[i].i = 0; }
  kiss_fftnd_cfg nd = kiss_fftnd_alloc(dims, 2, 0, NULL, NULL);
  kiss_fftnd(nd, image, spectrum);
  printf("2d: %.3f %.3f\n", spectrum[0].r, spectrum[17].i);
  free(nd);
  return 0;
}
