#include <stdio.h>
#define MINIMP3_NO_SIMD
#define MINIMP3_IMPLEMENTATION
#include "minimp3.h"
static unsigned char coded[60000];
static mp3d_sample_t pcm[MINIMP3_MAX_SAMPLES_PER_FRAME];
int main(void) {
  static const char *const files[] = { "vectors/l1-fl1.bit", "vectors/l2-fl10.bit", "vectors/l3-compl.bit",
      "vectors/l3-he_mode.bit" };
  for (int f = 0; f < 4; f++) {
    FILE *in = fopen(files[f], "rb"); int size = in ? (int)fread(coded, 1, sizeof coded, in) : 0, frames = 0;
    unsigned long long sum = 0; long samples = 0;
    mp3dec_t decoder; mp3dec_frame_info_t info = { 0 }; unsigned char *at = coded;
    if (in) fclose(in);
    mp3dec_init(&decoder);
    while (frames < 12 && size > 0) {
      int n = mp3dec_decode_frame(&decoder, at, size, pcm, &info);
      if (info.frame_bytes == 0) break;
      for (int i = 0; i < n * info.channels; i++) sum = sum * 31 + (unsigned short)pcm[i];
      at += info.frame_bytes; size -= info.frame_bytes; samples += n; frames++;
    }
    printf("%s: %d frames, %ld samples, %d Hz, %d channels, layer %d, %d kbit/s, %llx\n", files[f], frames, samples,
        info.hz, info.channels, info.layer, info.bitrate_kbps, sum);
  }
  return 0;
}
