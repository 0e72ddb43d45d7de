// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <utility>

namespace tw::cli {

std::map<std::string, Command>& commands() {
  static std::map<std::string, Command> all;
  return all;
}

Registration::Registration(std::string name, Command command) {
  commands().emplace(std::move(name), std::move(command));
}

}  // namespace tw::cli
