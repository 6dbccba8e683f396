// SPDX-License-Identifier: Apache-2.0
#include "long_call.h"

namespace tippe::python {
namespace {

/// The exception that Python is about to raise, as an object; Python forgets it.
nb::object take_exception() {
#if PY_VERSION_HEX >= 0x030C0000
  return nb::steal(PyErr_GetRaisedException());
#else
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return nb::steal(value);
#endif
}

}  // namespace

void LongCall::look(double t, double fraction, std::int64_t steps) {
  if (stop_) return;
  const nb::gil_scoped_acquire acquired;
  bool raised = PyErr_CheckSignals() != 0;
  if (!raised && !progress_.is_none()) {
    try {
      progress_(t, fraction, steps);
    } catch (nb::python_error& error) {
      error.restore();
      raised = true;
    }
  }
  if (!raised) return;
  error_ = take_exception();
  stop_ = true;
}

}  // namespace tippe::python
