#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include "microui.h"
static int width(mu_Font font, const char *s, int n) { (void)font; return 6 * (n < 0 ? (int)strlen(s) : n); }
static int height(mu_Font font) { (void)font; return 12; }
static char text[40] = "edit"; static float level = 3; static int ticked;
static void frame(mu_Context *c) {
  mu_begin(c);
  if (mu_begin_window(c, "One", mu_rect(10, 10, 200, 180))) {
    mu_layout_row(c, 2, (int[]) { 60, -1 }, 0);
    mu_label(c, "Label:"); if (mu_button(c, "Press")) printf("pressed ");
    mu_checkbox(c, "tick", &ticked); mu_slider(c, &level, 0, 10);
    if (mu_header(c, "Header")) mu_text(c, "some words that are too long for one line of the window");
    if (mu_textbox(c, text, sizeof text) & MU_RES_SUBMIT) printf("submit ");
    mu_end_window(c);
  }
  if (mu_begin_window_ex(c, "Two", mu_rect(120, 60, 120, 80), MU_OPT_NORESIZE)) {
    if (mu_begin_treenode(c, "tree")) { mu_label(c, "leaf"); mu_end_treenode(c); } mu_end_window(c); }
  mu_end(c);
  mu_Command *command = NULL;
  while (mu_next_command(c, &command)) switch (command->type) {
    case MU_COMMAND_TEXT: printf("T%d,%d<%s> ", command->text.pos.x, command->text.pos.y, command->text.str); break;
    case MU_COMMAND_RECT: printf("R%d,%d,%d,%d ", command->rect.rect.x, command->rect.rect.y, command->rect.rect.w,
        command->rect.rect.h); break;
    case MU_COMMAND_ICON: printf("I%d ", command->icon.id); break;
    case MU_COMMAND_CLIP: printf("C%d ", command->clip.rect.w); break;
  }
  printf("\n  %s %.2f %d\n", text, level, ticked);
}
int main(void) {
  mu_Context *c = malloc(sizeof *c);
  mu_init(c); c->text_width = width; c->text_height = height;
  for (int i = 0; i < 30; i++) {
    mu_input_mousemove(c, 15 + i * 9 % 190, 20 + i * 13 % 160);
    if (i % 3 == 1) mu_input_mousedown(c, 15 + i * 9 % 190, 20 + i * 13 % 160, MU_MOUSE_LEFT);
    if (i % 3 == 2) mu_input_mouseup(c, 15 + i * 9 % 190, 20 + i * 13 % 160, MU_MOUSE_LEFT);
    if (i % 7 == 0) mu_input_text(c, "ab"); if (i % 11 == 0) mu_input_keydown(c, MU_KEY_BACKSPACE);
    if (i % 11 == 1) mu_input_keyup(c, MU_KEY_BACKSPACE);
    if (i % 5 == 0) mu_input_scroll(c, 0, 8);
    frame(c);
  }
  free(c);
  return 0;
}
