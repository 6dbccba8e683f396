// SPDX-License-Identifier: Apache-2.0
#include "tippe/core/error.h"

#include <filesystem>

#include "bind.h"

namespace tippe::python {
namespace {

/// Raises tippe.NAME(arguments...). The classes are written in Python; importing this module alone does not need them.
template <class... Arguments>
void raise(const char* name, const Arguments&... arguments) {
  const nb::object type = nb::module_::import_("tippe.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(arguments...).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    const SourcePosition& at = error.position();
    raise("InputError", error.what(), at.file, at.line, at.column);
  } catch (const ModelError& error) {
    raise("InputError", error.subject() + ": " + error.what());
  } catch (const FileError& error) {
    raise("FileError", error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    raise("FileError", error.what());
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace tippe::python
