/* The editor's core: files, rows, insertion, deletion, highlighting; without a terminal. */
#define main kilo_main
#include "kilo.c"
#undef main
static void state(const char *what) {
  int length; char *text = editorRowsToString(&length);
  printf("== %s: %d rows, %d bytes, cursor %d,%d, dirty %d\n%s", what, E.numrows, length, E.cx, E.cy, E.dirty != 0,
      text);
  free(text);
}
int main(void) {
  FILE *f = fopen("provest-kilo.c", "w");
  fputs("#include <stdio.h>\n/* a comment\n   of two lines */\nint main(void) {\n"
      "\tprintf(\"hello %d\\n\", 42); // end\n\treturn 0;\n}\n", f);
  fclose(f);
  E.cx = E.cy = E.rowoff = E.coloff = E.numrows = E.dirty = 0; E.row = NULL; E.filename = NULL; E.syntax = NULL;
  E.screenrows = 20; E.screencols = 60;
  editorSelectSyntaxHighlight("provest-kilo.c"); editorOpen("provest-kilo.c"); state("opened");
  for (int i = 0; i < E.numrows; i++) { erow *row = &E.row[i]; printf("%2d [%.*s] ", i, row->rsize, row->render);
    for (int j = 0; j < row->rsize; j++) printf("%d", row->hl[j]); puts(""); }
  for (const char *s = "abc\ndef\"x"; *s; s++) { if (*s == '\n') editorInsertNewline(); else editorInsertChar(*s); }
  state("typed"); for (int i = 0; i < 5; i++) editorDelChar(); state("deleted");
  editorMoveCursor(1002); editorMoveCursor(1003); editorMoveCursor(1001); editorInsertRow(2, "inserted row", 12);
  editorDelRow(0); state("rows");
  editorSave(); f = fopen("provest-kilo.c", "r"); for (int c; (c = getc(f)) != EOF;) putchar(c); fclose(f);
  return remove("provest-kilo.c");
}
