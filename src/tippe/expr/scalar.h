// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tippe/expr/graph.h"

/// Mathematics on expressions written as on numbers, so that a function template that works on double also builds an expression
/// when it is called with Expr:
///
///   auto V = [=](const auto& q) { return m * g * l * (1.0 - cos(q[0])); };
///
/// The function is traced once; a choice between branches must be written with min, max, abs or sign, not with if.
namespace tippe {

inline Expr operator+(Expr a, double b) {
  return a + a.graph().constant(b);
}
inline Expr operator+(double a, Expr b) {
  return b.graph().constant(a) + b;
}
inline Expr operator-(Expr a, double b) {
  return a - a.graph().constant(b);
}
inline Expr operator-(double a, Expr b) {
  return b.graph().constant(a) - b;
}
inline Expr operator*(Expr a, double b) {
  return a * a.graph().constant(b);
}
inline Expr operator*(double a, Expr b) {
  return b.graph().constant(a) * b;
}
inline Expr operator/(Expr a, double b) {
  return a / a.graph().constant(b);
}
inline Expr operator/(double a, Expr b) {
  return b.graph().constant(a) / b;
}
inline Expr& operator+=(Expr& a, Expr b) {
  return a = a + b;
}
inline Expr& operator-=(Expr& a, Expr b) {
  return a = a - b;
}
inline Expr& operator*=(Expr& a, Expr b) {
  return a = a * b;
}

inline Expr sin(Expr a) {
  return a.graph().apply(Op::kSin, a);
}
inline Expr cos(Expr a) {
  return a.graph().apply(Op::kCos, a);
}
inline Expr tan(Expr a) {
  return a.graph().apply(Op::kTan, a);
}
inline Expr asin(Expr a) {
  return a.graph().apply(Op::kAsin, a);
}
inline Expr acos(Expr a) {
  return a.graph().apply(Op::kAcos, a);
}
inline Expr atan(Expr a) {
  return a.graph().apply(Op::kAtan, a);
}
inline Expr atan2(Expr a, Expr b) {
  return a.graph().apply(Op::kAtan2, a, b);
}
inline Expr sinh(Expr a) {
  return a.graph().apply(Op::kSinh, a);
}
inline Expr cosh(Expr a) {
  return a.graph().apply(Op::kCosh, a);
}
inline Expr tanh(Expr a) {
  return a.graph().apply(Op::kTanh, a);
}
inline Expr exp(Expr a) {
  return a.graph().apply(Op::kExp, a);
}
inline Expr log(Expr a) {
  return a.graph().apply(Op::kLog, a);
}
inline Expr sqrt(Expr a) {
  return a.graph().apply(Op::kSqrt, a);
}
inline Expr abs(Expr a) {
  return a.graph().apply(Op::kAbs, a);
}
inline Expr sign(Expr a) {
  return a.graph().apply(Op::kSign, a);
}
inline Expr min(Expr a, Expr b) {
  return a.graph().apply(Op::kMin, a, b);
}
inline Expr max(Expr a, Expr b) {
  return a.graph().apply(Op::kMax, a, b);
}
inline Expr pow(Expr a, Expr b) {
  return a.graph().apply(Op::kPow, a, b);
}
inline Expr pow(Expr a, double b) {
  return pow(a, a.graph().constant(b));
}

}  // namespace tippe
