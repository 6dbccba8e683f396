// SPDX-License-Identifier: Apache-2.0
#include "long_call.h"

#include <chrono>
#include <mutex>
#include <set>
#include <thread>

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

/// The calls under way. Never destroyed: threads may outlive what is.
struct Calls {
  std::mutex mutex;
  std::set<std::atomic<bool>*> stops;
  bool ending = false;
};
Calls& calls() {
  static Calls* const all = new Calls;
  return *all;
}

}  // namespace

LongCall::LongCall(nb::object progress) : progress_(std::move(progress)) {
  const std::lock_guard lock(calls().mutex);
  calls().stops.insert(&stop_);
  if (calls().ending) stop_ = true;
}

LongCall::~LongCall() {
  const std::lock_guard lock(calls().mutex);
  calls().stops.erase(&stop_);
}

void LongCall::end_all() {
  const nb::gil_scoped_release released;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (bool any = true; any && std::chrono::steady_clock::now() < deadline;) {
    {
      const std::lock_guard lock(calls().mutex);
      calls().ending = true;
      for (std::atomic<bool>* stop : calls().stops) *stop = true;
      any = !calls().stops.empty();
    }
    if (any) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void LongCall::look_up(const std::function<void(const nb::object& progress)>& tell) {
  if (stop_) return;
  const nb::gil_scoped_acquire acquired;
  bool raised = PyErr_CheckSignals() != 0;
  if (!raised && !progress_.is_none()) {
    try {
      tell(progress_);
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
