#ifndef PROVEST_STDIO_H
#define PROVEST_STDIO_H
#include <provest/size.h>
#include <sys/types.h>
#include <stdarg.h>

/* Its member is the library's. */
typedef struct provest_file { int provest_number; } FILE;
typedef struct { long long provest_position; } fpos_t;
extern struct provest_file __provest_streams[3];
#define stdin (&__provest_streams[0])
#define stdout (&__provest_streams[1])
#define stderr (&__provest_streams[2])

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

int printf(const char *restrict format, ...);
int fprintf(FILE *restrict stream, const char *restrict format, ...);
int sprintf(char *restrict target, const char *restrict format, ...);
int snprintf(char *restrict target, size_t size, const char *restrict format, ...);
int vprintf(const char *restrict format, va_list arguments);
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsprintf(char *restrict target, const char *restrict format, va_list arguments);
int vsnprintf(char *restrict target, size_t size, const char *restrict format, va_list arguments);
int puts(const char *text);
int putchar(int c);
int fputs(const char *restrict text, FILE *restrict stream);
int fputc(int c, FILE *stream);
int putc(int c, FILE *stream);
int putc_unlocked(int c, FILE *stream);
void perror(const char *text);
#ifdef _GNU_SOURCE
int asprintf(char **restrict target, const char *restrict format, ...);
int vasprintf(char **restrict target, const char *restrict format, va_list arguments);
#endif
int dprintf(int file, const char *restrict format, ...);

int scanf(const char *restrict format, ...);
int fscanf(FILE *restrict stream, const char *restrict format, ...);
int sscanf(const char *restrict text, const char *restrict format, ...);
int vscanf(const char *restrict format, va_list arguments);
int vfscanf(FILE *restrict stream, const char *restrict format, va_list arguments);
int vsscanf(const char *restrict text, const char *restrict format, va_list arguments);
int getchar(void);
int fgetc(FILE *stream);
int getc(FILE *stream);
int getc_unlocked(FILE *stream);
int ungetc(int c, FILE *stream);
char *fgets(char *restrict target, int size, FILE *restrict stream);
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream);
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream);

FILE *fopen(const char *restrict path, const char *restrict mode);
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream);
FILE *fdopen(int file, const char *mode);
int fileno(FILE *stream);
FILE *tmpfile(void);
int fclose(FILE *stream);
int fflush(FILE *stream);
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size);
void setbuf(FILE *restrict stream, char *restrict buffer);
size_t fread(void *restrict target, size_t size, size_t count, FILE *restrict stream);
size_t fwrite(const void *restrict source, size_t size, size_t count, FILE *restrict stream);
int fseek(FILE *stream, long offset, int whence);
long ftell(FILE *stream);
int fseeko(FILE *stream, off_t offset, int whence);
off_t ftello(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *restrict stream, fpos_t *restrict position);
int fsetpos(FILE *stream, const fpos_t *position);
int feof(FILE *stream);
int ferror(FILE *stream);
void clearerr(FILE *stream);
int remove(const char *path);
int rename(const char *from, const char *to);
char *tmpnam(char *target);
#endif
