/* dr_wav: a sound written to memory in two formats and read back converted. */
#include <stdio.h>
#include <string.h>
#define DR_WAV_IMPLEMENTATION
#include "dr_wav.h"

int main(void) {
  for (int form = 0; form < 2; form++) {
    drwav wav;
    void *data = NULL;
    size_t size = 0;
    drwav_data_format format = { drwav_container_riff, form ? DR_WAVE_FORMAT_IEEE_FLOAT : DR_WAVE_FORMAT_PCM, 2, 8000,
        form ? 32 : 16 };
    if (!drwav_init_memory_write(&wav, &data, &size, &format, NULL)) return 1;
    for (int i = 0; i < 400; i++) {
      drwav_int16 whole[2] = { (drwav_int16)(i * 80), (drwav_int16)(-i * 13) };
      float real[2] = { i / 400.0f, -i / 500.0f };
      drwav_write_pcm_frames(&wav, 1, form ? (void *)real : (void *)whole);
    }
    drwav_uninit(&wav);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) sum = sum * 31 + ((unsigned char *)data)[i];
    printf("%zu %08x\n", size, sum);
    if (!drwav_init_memory(&wav, data, size, NULL)) return 2;
    printf("%u %u %u %llu\n", wav.channels, wav.sampleRate, wav.bitsPerSample,
        (unsigned long long)wav.totalPCMFrameCount);
    float samples[64];
    drwav_int16 shorts[64];
    drwav_seek_to_pcm_frame(&wav, 100);
    printf("%llu", (unsigned long long)drwav_read_pcm_frames_f32(&wav, 32, samples));
    for (int i = 0; i < 64; i += 9) printf(" %.6f", samples[i]);
    printf("\n%llu", (unsigned long long)drwav_read_pcm_frames_s16(&wav, 32, shorts));
    for (int i = 0; i < 64; i += 9) printf(" %d", shorts[i]);
    printf("\n");
    drwav_uninit(&wav);
    for (size_t cut = 0; cut < 60; cut += 7) printf("%d ", (int)drwav_init_memory(&wav, data, cut, NULL));
    printf("\n");
    drwav_free(data, NULL);
  }
  return 0;
}
