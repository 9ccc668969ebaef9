/* littlefs on a block device in memory: files and directories written, renamed, removed, and found again after mounting
 * anew. */
#include <stdio.h>
#include <string.h>
#include "lfs.h"

enum { block_size = 512, block_count = 64 };
static unsigned char store[block_count][block_size];

static int read_block(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, void *buffer, lfs_size_t size) {
  (void)c; memcpy(buffer, store[block] + off, size); return 0; }
static int program(const struct lfs_config *c, lfs_block_t block, lfs_off_t off, const void *buffer, lfs_size_t size) {
  (void)c; memcpy(store[block] + off, buffer, size); return 0; }
static int erase(const struct lfs_config *c, lfs_block_t block) { (void)c; memset(store[block], 0xff, block_size);
  return 0; }
static int sync_device(const struct lfs_config *c) { (void)c; return 0; }

static const struct lfs_config config = {
  .read = read_block, .prog = program, .erase = erase, .sync = sync_device, .read_size = 16, .prog_size = 16,
      .block_size = block_size, .block_count = block_count,
  .block_cycles = 100, .cache_size = 64, .lookahead_size = 16,
};

/* A line of its own for each result, since arguments are evaluated in any order. */
#define show(result) printf("%d\n", (int)(result))

static void list(lfs_t *lfs, const char *path) {
  lfs_dir_t dir;
  struct lfs_info info;
  printf("%s: %d", path, lfs_dir_open(lfs, &dir, path));
  while (lfs_dir_read(lfs, &dir, &info) > 0) printf(" %s/%d/%u", info.name, info.type, info.type == LFS_TYPE_REG
      ? (unsigned)info.size : 0);
  printf(" %d\n", lfs_dir_close(lfs, &dir));
}

int main(void) {
  static lfs_t lfs;
  static lfs_file_t file;
  char text[64];
  show(lfs_mount(&lfs, &config));
  show(lfs_format(&lfs, &config));
  show(lfs_mount(&lfs, &config));
  show(lfs_mkdir(&lfs, "logs"));
  show(lfs_mkdir(&lfs, "logs"));
  for (int i = 0; i < 12; i++) {
    snprintf(text, sizeof text, "logs/entry-%02d", i);
    int opened = lfs_file_open(&lfs, &file, text, LFS_O_WRONLY | LFS_O_CREAT | LFS_O_APPEND);
    int written = 0;
    for (int j = 0; j <= i * 10; j++) written += lfs_file_write(&lfs, &file, text, strlen(text));
    printf("%d %d\n", opened, written);
    show(lfs_file_close(&lfs, &file));
  }
  list(&lfs, "/");
  list(&lfs, "logs");
  show(lfs_remove(&lfs, "logs/entry-03"));
  show(lfs_rename(&lfs, "logs/entry-04", "kept"));
  show(lfs_unmount(&lfs));
  show(lfs_mount(&lfs, &config));
  list(&lfs, "logs");
  list(&lfs, "/");
  memset(text, 0, sizeof text);
  show(lfs_file_open(&lfs, &file, "kept", LFS_O_RDONLY));
  show(lfs_file_seek(&lfs, &file, 20, LFS_SEEK_SET));
  show(lfs_file_read(&lfs, &file, text, 30));
  printf("%s\n", text);
  show(lfs_file_close(&lfs, &file));
  show(lfs_fs_size(&lfs));
  show(lfs_unmount(&lfs));
  return 0;
}
