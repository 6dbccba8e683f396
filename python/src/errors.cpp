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

/// The argument of functions of the package.
const char* name_of(Argument argument) {
  switch (argument) {
    case Argument::kSetting:
      return "settings";
    case Argument::kIntegrator:
      return "integrator";
    case Argument::kIntegrators:
      return "integrators";
    case Argument::kTimeStep:
      return "dt";
    case Argument::kEnd:
      return "until";
    case Argument::kSampleInterval:
      return "every";
    case Argument::kTime:
      return "t";
    case Argument::kSection:
      return "section";
    case Argument::kReturns:
      return "returns";
    case Argument::kSolver:
      return "solver";
    case Argument::kTolerance:
      return "tolerance";
    case Argument::kMaxIterations:
      return "max_iterations";
    case Argument::kThreads:
      return "threads";
    case Argument::kAlpha:
      return "alpha";
    case Argument::kRecover:
      return "recover";
    case Argument::kTransform:
      return "transform";
    case Argument::kVary:
      return "vary";
    case Argument::kSample:
      return "sample";
    case Argument::kPointTable:
      return "table";
    case Argument::kQuantity:
      return "quantities";
  }
  return "";
}

/// What users of the package can do.
std::string advice(Remedy remedy, const std::string&) {
  switch (remedy) {
    case Remedy::kNone:
      return "";
    case Remedy::kGiveTimeStep:
      return " (or give dt)";
    case Remedy::kGiveEnd:
      return " (or give until)";
    case Remedy::kGiveLaterEnd:
      return "; give a later until to go on";
    case Remedy::kNameSolver:
      return "; name it with solver";
    case Remedy::kListScenes:
      return " (tippe.scenes() shows all)";
    case Remedy::kOpenAsScene:
      return "; it looks like a scene, for tippe.load()";
    case Remedy::kOpenAsHdf5:
      return "; tippe.read_problem() reads a contact problem, tippe.open() a recording";
    case Remedy::kExtractProblem:
      return "; Instant.problem() is the problem of a step";
  }
  return "";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    const SourcePosition& at = error.position();
    raise("InputError", worded(error, name_of, advice), at.file, at.line, at.column);
  } catch (const ModelError& error) {
    raise("InputError", error.subject() + ": " + error.what());
  } catch (const FileError& error) {
    raise("FileError", error.what() + advice(error.remedy(), error.file()));
  } catch (const std::filesystem::filesystem_error& error) {
    raise("FileError", error.what());
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator(translate);
}

}  // namespace tippe::python
