#include <stdio.h>
#include <stdlib.h>
#include "embedded_cli.h"
static void put(EmbeddedCli *cli, char c) { (void)cli; putchar(c == '\r' ? '~' : c); }
static void command(EmbeddedCli *cli, CliCommand *c) { (void)cli;
  printf("{command %s|%s}", c->name, c->args ? c->args : "-"); }
static void hello(EmbeddedCli *cli, char *args, void *context) {
  unsigned count = embeddedCliGetTokenCount(args);
  printf("{hello %s %u", (const char *)context, count);
  for (uint16_t i = 1; i <= count; i++) printf(" <%s>", embeddedCliGetToken(args, i));
  printf(" %u}", embeddedCliFindToken(args, "x"));
  embeddedCliPrint(cli, "from the command");
}
static void feed(EmbeddedCli *cli, const char *text) { while (*text) embeddedCliReceiveChar(cli, *text++);
  embeddedCliProcess(cli); printf("\n--\n"); }
int main(void) {
  static const char *const lines[] = { "help\r\n", "hello a b  x\r\n", "hello \"quoted word\" c\\\"d\r\n", "he\t",
      "\b\bello 1\r\n", "unknown 1 2\r\n", "\x1b[A\r\n", "\x1b[A\x1b[A\x1b[B\r\n", "help hello\r\n", "help none\r\n",
      "   \r\n", "get-l\t\r\n", "0123456789012345678901234567890123456789012345678901234567890123456789\r\n",
      "abc\x1b[D\x1b[DX\r\n" };
  EmbeddedCliConfig *config = embeddedCliDefaultConfig();
  config->rxBufferSize = 64; config->cmdBufferSize = 64; config->historyBufferSize = 128; config->maxBindingCount = 4;
  config->enableAutoComplete = true;
  printf("%d\n", embeddedCliRequiredSize(config) > 0);
  EmbeddedCli *cli = embeddedCliNew(config);
  cli->writeChar = put; cli->onCommand = command;
  printf("%d", embeddedCliAddBinding(cli, (CliCommandBinding) { .name = "hello", .help = "says hello", .tokenizeArgs =
      true, .context = "ctx", .binding = hello }));
  printf("%d\n", embeddedCliAddBinding(cli, (CliCommandBinding) { .name = "get-led", .help = "the LED", .tokenizeArgs =
      true, .context = "led", .binding = hello }));
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) feed(cli, lines[i]);
  embeddedCliFree(cli);
  return 0;
}
