/**
 * `provest completion SHELL`: a script that completes commands, options, and values of options that are a choice. It is
 * made from the commands themselves, so that it knows every one of the version that printed it.
 */
import type { Command } from 'commander';
import { allProperties, leavable } from '../../program/command';
import { causePages } from '../../report';
import { exitCode, type ExitCode } from '../exitCode';
import { parseChoice } from '../options';
import type { Terminal } from '../terminal';
import { angelicConfigurations } from '../../task';

const shells = ['bash', 'zsh', 'fish'] as const;

const usage: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `put this line into ~/.bashrc:  source <(provest completion bash)`,
  zsh: `put this line into ~/.zshrc, below compinit:  source <(provest completion zsh)`,
  fish: `run once:  provest completion fish > ~/.config/fish/completions/provest.fish`,
};

export function addCompletionOptions(command: Command): Command {
  return command
    .description('print a script that completes commands and options in a shell')
    .argument('<shell>', shells.join(', '))
    .addHelpText('after', `\n${shells.map((shell) => `${shell}: ${usage[shell]}`).join('\n')}`);
}

export function printCompletion(
  shell: string,
  program: Command,
  engines: readonly string[],
  terminal: Terminal,
): ExitCode {
  const commands = program.commands.map((command): Completed => ({
    name: command.name(),
    description: command.description(),
    options: command.options.map(({ long, short, description, required }) => ({
      names: [...(short ? [short] : []), ...(long ? [long] : [])],
      description,
      takesValue: required,
      values: valuesOf(long ?? '', command.name(), engines),
    })),
    values: command.name() === 'explain' ? [...causePages().keys()] : command.name() === 'completion' ? shells : [],
  }));
  const script = { bash, zsh, fish }[parseChoice('shell', shell, shells)];
  terminal.out(script(commands));
  return exitCode.proved;
}

interface Completed {
  readonly name: string;
  readonly description: string;
  readonly options: readonly {
    readonly names: readonly string[];
    readonly description: string;
    readonly takesValue: boolean;
    readonly values: readonly string[];
  }[];
  /** Choices for its first argument; none: files. */
  readonly values: readonly string[];
}

/** Choices of an option's value; none: a file, a number or a text. */
function valuesOf(option: string, command: string, engines: readonly string[]): readonly string[] {
  const choices: Readonly<Record<string, readonly string[]>> = {
    '--engine': engines,
    '--property': [...allProperties, 'all'],
    '--data-model': ['lp64', 'ilp32'],
    '--std': ['c11', 'gnu89'],
    '--externals': ['error', 'any', 'value', 'angelic'],
    '--unchecked': leavable,
    '--angelic-configuration': angelicConfigurations,
    '--cutpoints': ['default', 'labels', 'checks', 'statements'],
    '--generalize': ['off', 'widen', 'interpolate', 'learned'],
    ...(command === 'slice' && { '--kind': ['thin', 'value', 'value+', 'backward'] }),
  };
  return choices[option] ?? [];
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, values }) => {
    const choices = options.filter((option) => option.values.length > 0);
    return [
      `    ${name})`,
      ...(choices.length > 0
        ? [
            '      case "$previous" in',
            ...choices.map((option) => `        ${option.names.join('|')}) words="${option.values.join(' ')}" ;;`),
            '      esac',
          ]
        : []),
      '      [ -n "$words" ] || case "$current" in -*) ' +
        `words="${options.flatMap((option) => option.names).join(' ')} --help" ;; *) words="${values.join(' ')}" ` +
        ';; esac',
      '      ;;',
    ].join('\n');
  });
  return `# provest completion bash
_provest() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _provest provest
`;
}

/** Text in single quotes, for zsh and fish; a colon and brackets have a meaning in zsh's descriptions. */
const quoted = (text: string): string => text.replace(/'/g, "'\\''");
const described = (text: string): string => quoted(text.replace(/[[\]:\\]/g, '\\$&'));

function zsh(commands: readonly Completed[]): string {
  const cases = commands.map(({ name, options, values }) => {
    const specs = options.flatMap(({ names, description, takesValue, values: choices }) =>
      names.map(
        (option) =>
          `'*${option}[${described(description)}]` +
          `${takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : ''}'`,
      ),
    );
    return (
      `    ${name}) _arguments ` +
      `${[...specs, `'*:argument:${values.length > 0 ? `(${values.join(' ')})` : '_files'}'`].join(' \\\n      ')} ` +
      ';;'
    );
  });
  return `#compdef provest
# provest completion zsh
_provest() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands
      .map(({ name, description }) => `'${name}:${described(description)}'`)
      .join(' \\\n      ')})
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
# Sourced, or loaded from a folder of $fpath when a word is first completed.
if [[ $funcstack[1] == _provest ]]; then _provest "$@"; else compdef _provest provest; fi
`;
}

function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, description, options, values }) => [
    `complete -c provest -n __fish_use_subcommand -f -a ${name} -d '${quoted(description)}'`,
    ...options.map(({ names, description: text, takesValue, values: choices }) => {
      const flags = names.map((option) =>
        option.startsWith('--') ? `-l ${option.slice(2)}` : `-s ${option.slice(1)}`,
      );
      const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
      return (
        `complete -c provest -n '__fish_seen_subcommand_from ${name}' ${flags.join(' ')}${value} -d ` +
        `'${quoted(text)}'`
      );
    }),
    ...(values.length > 0
      ? [`complete -c provest -n '__fish_seen_subcommand_from ${name}' -f -a '${values.join(' ')}'`]
      : []),
  ]);
  return `# provest completion fish\n${lines.join('\n')}\n`;
}
