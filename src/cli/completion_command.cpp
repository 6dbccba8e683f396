// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "cli/message.h"
#include "cli/output.h"

namespace tippe::cli {
namespace {

/// Runs in bash, and in zsh through bashcompinit. Names of scenes, integrators and solvers are asked of the program on every use.
/// {0}: commands, {1}: case branches with the options of each command, {2}: options with a value that nobody can guess,
/// {3}: commands that take a scene, {4}: those that take a problem in JSON or TOML too.
constexpr const char* kScript = R"BASH(# Completion of tippe for bash. In ~/.bashrc:  source <(tippe completion bash)
# In ~/.zshrc, after compinit:  autoload -U +X bashcompinit && bashcompinit && source <(tippe completion bash)

# The names that `tippe list KIND` shows.
_tippe_names() {{
  "${{COMP_WORDS[0]}}" list "$1" 2>/dev/null | while read -r name rest; do printf '%s\n' "$name"; done
}}

_tippe() {{
  local IFS=$' \t\n'
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD - 1]}}" command="${{COMP_WORDS[1]}}" options=""
  # Bash makes three words of --option=value.
  if [ "$word" = "=" ]; then word=""; elif [ "$previous" = "=" ]; then previous="${{COMP_WORDS[COMP_CWORD - 2]}}"; fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0} --help --version" -- "$word"))
    return
  fi
  case "$previous" in
    --integrators) COMPREPLY=($(compgen -P "${{word%"${{word##*,}}"}}" -W "$(_tippe_names integrators)" -- "${{word##*,}}")); return ;;
    --integrator) COMPREPLY=($(compgen -W "$(_tippe_names integrators)" -- "$word")); return ;;
    --solver) COMPREPLY=($(compgen -W "$(_tippe_names solvers)" -- "$word")); return ;;
    -o|--output|--html) IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word")); return ;;
    --out) IFS=$'\n'; COMPREPLY=($(compgen -d -- "$word")); return ;;
    {2}) return ;;
  esac
  case "$command" in
{1}  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return ;;
  esac
  case "$command" in
    {3})
      COMPREPLY=($(compgen -W "$(_tippe_names scenes)" -- "$word"))
      IFS=$'\n'
      COMPREPLY+=($(compgen -f -X '!*.toml' -- "$word") $(compgen -d -- "$word"))
      case "$command" in {4}) COMPREPLY+=($(compgen -f -X '!*.json' -- "$word")) ;; esac ;;
    list) COMPREPLY=($(compgen -W "scenes integrators laws solvers" -- "$word")) ;;
    completion) COMPREPLY=($(compgen -W "bash" -- "$word")) ;;
    *) IFS=$'\n'; COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _tippe tippe
)BASH";

/// "a|b", for the branches of a case.
void append(std::string& list, const std::string& item, const char* separator) {
  list += (list.empty() ? "" : separator) + item;
}

std::string completion_script(const CLI::App& app) {
  std::string commands, branches, with_value, with_scene, with_problem;
  for (const CLI::App* command : app.get_subcommands({})) {
    append(commands, command->get_name(), " ");
    std::string options;
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) {
        const bool problem = option->get_type_name() == "SCENE|PROBLEM";
        if (problem || option->get_type_name() == "SCENE") append(with_scene, command->get_name(), "|");
        if (problem) append(with_problem, command->get_name(), "|");
        continue;
      }
      for (const std::string& name : option->get_lnames()) {
        append(options, "--" + name, " ");
        const bool takes_value = option->get_type_size() > 0;
        const std::string pattern = "--" + name;
        if (takes_value && (with_value + "|").find(pattern + "|") == std::string::npos) append(with_value, pattern, "|");
      }
    }
    branches += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), options);
  }
  return fmt::format(kScript, commands, branches, with_value, with_scene, with_problem);
}

int print_completion(const CLI::App& app, const std::string& shell) {
  if (shell != "bash") {
    print_error({},
                fmt::format("no completion for '{}'; there is one for bash, which zsh reads through bashcompinit", shell));
    return kBadInput;
  }
  print_out("{}", completion_script(app));
  return kFine;
}

}  // namespace

void add_completion_command(CLI::App& app, int& exit_code) {
  const auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Print a script that completes commands in the shell");
  command->footer(
      "In ~/.bashrc:\n"
      "  source <(tippe completion bash)\n"
      "In ~/.zshrc, after compinit:\n"
      "  autoload -U +X bashcompinit && bashcompinit && source <(tippe completion bash)");
  command->add_option("shell", *shell, "bash")->required()->type_name("SHELL");
  command->callback([&app, shell, &exit_code] { exit_code = print_completion(app, *shell); });
}

}  // namespace tippe::cli
