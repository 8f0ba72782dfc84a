// A chain of N revolutes with nothing of the library: Featherstone's articulated-body algorithm on arrays whose size is
// known when it is compiled, in world axes, every quantity about the joint of its link. What `bench_chain` measures
// itself against.
//   outwards  R, u, d, ω, and with all joint accelerations zero: c = (ω₋ × q̇ u, ω₋ × (ω₋ × d)), the bias force b
//   inwards   U = 𝓘 s, D = s·U, e = −s·b;  𝓘₋ += 𝓘ᵃ = 𝓘 − U Uᵀ/D,  b₋ += b + 𝓘ᵃ c + U e/D, both moved to the joint inboard
//   outwards  a' = a₋ moved + c,  q̈ = (e − U·a')/D,  a = a' + s q̈
// R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, table 7.1
#pragma once

#include <cmath>
#include <memory>

namespace handwritten {

struct V3 {
  double x, y, z;
};
inline V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(double k, V3 a) { return {k * a.x, k * a.y, k * a.z}; }
inline double dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

struct M3 {  // rows
  V3 a, b, c;
};
inline V3 operator*(const M3& m, V3 v) { return {dot(m.a, v), dot(m.b, v), dot(m.c, v)}; }
inline V3 transposed(const M3& m, V3 v) { return v.x * m.a + v.y * m.b + v.z * m.c; }
inline M3 operator*(const M3& p, const M3& q) {
  return {transposed(q, p.a), transposed(q, p.b), transposed(q, p.c)};
}

struct S3 {  // symmetric
  double xx, xy, xz, yy, yz, zz;
};
inline V3 operator*(const S3& s, V3 v) {
  return {s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
          s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
inline S3 operator+(const S3& a, const S3& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
inline S3 less(const S3& s, V3 a, double k) {  // s − k a aᵀ
  const V3 b = k * a;
  return {s.xx - b.x * a.x, s.xy - b.x * a.y, s.xz - b.x * a.z,
          s.yy - b.y * a.y, s.yz - b.y * a.z, s.zz - b.z * a.z};
}

// A link turns about z of its own frame; T is that frame on the link inboard at angle zero, o its place there.
struct ChainLink {
  M3 T;
  V3 o;
  double m;
  V3 c;  // centre of mass
  S3 I;  // about it
};

template <int N>
class Chain {
 public:
  Chain() : links(new ChainLink[N]), at_(new At[N + 1]) {}
  std::unique_ptr<ChainLink[]> links;
  V3 gravity{0, 0, 0};

  // q̈ of the unforced chain.
  void accelerate(const double* q, const double* v, double* a) {
    M3 R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    V3 omega = {0, 0, 0};
    for (int i = 0; i < N; ++i) {
      const ChainLink& link = links[size_t(i)];
      At& at = at_[size_t(i)];
      at.d = R * link.o;
      const M3 A = R * link.T;
      const double cosine = std::cos(q[i]), sine = std::sin(q[i]);
      const auto turned = [&](V3 r) { return V3{cosine * r.x + sine * r.y, cosine * r.y - sine * r.x, r.z}; };
      R = {turned(A.a), turned(A.b), turned(A.c)};
      at.u = {R.a.z, R.b.z, R.c.z};
      const V3 turn = v[i] * at.u;
      at.c_angular = cross(omega, turn);
      at.c_linear = cross(omega, cross(omega, at.d));
      omega = omega + turn;
      own(link, R, omega, at);
    }
    S3 I = at_[N - 1].I, M = scaled_identity(links[N - 1].m);
    M3 H = skew(links[N - 1].m * at_[N - 1].arm);
    V3 moment = at_[N - 1].moment, force = at_[N - 1].force;
    for (int i = N - 1;; --i) {
      At& at = at_[size_t(i)];
      at.l = I * at.u;
      at.p = transposed(H, at.u);
      at.inverse = 1 / dot(at.u, at.l);
      at.e = -dot(at.u, moment);
      if (i == 0) break;
      const At& in = at_[size_t(i) - 1];
      const double g = at.inverse * at.e;
      I = less(I, at.l, at.inverse);
      M = less(M, at.p, at.inverse);
      const V3 k = at.inverse * at.p;
      H = {H.a - at.l.x * k, H.b - at.l.y * k, H.c - at.l.z * k};
      moment = moment + I * at.c_angular + H * at.c_linear + g * at.l;
      force = force + transposed(H, at.c_angular) + M * at.c_linear + g * at.p;
      moment = moment + cross(at.d, force) + in.moment;
      force = force + in.force;
      shift(at.d, I, H, M);
      I = I + in.I;
      const M3 own_H = skew(links[size_t(i) - 1].m * in.arm);
      H = {H.a + own_H.a, H.b + own_H.b, H.c + own_H.c};
      M = M + scaled_identity(links[size_t(i) - 1].m);
    }
    V3 angular = {0, 0, 0}, linear = {0, 0, 0};
    for (int i = 0; i < N; ++i) {
      const At& at = at_[size_t(i)];
      linear = linear + cross(angular, at.d) + at.c_linear;
      angular = angular + at.c_angular;
      a[i] = at.inverse * (at.e - dot(at.l, angular) - dot(at.p, linear));
      angular = angular + a[i] * at.u;
    }
  }

 private:
  struct At {
    V3 u, d, c_angular, c_linear;
    V3 arm, moment, force;  // of the link alone: centre of mass, bias force
    S3 I;
    V3 l, p;
    double inverse, e;
  };

  static S3 scaled_identity(double m) { return {m, 0, 0, m, 0, m}; }
  static M3 skew(V3 a) { return {{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}; }

  // Inertia about the joint and bias force of a link.
  void own(const ChainLink& link, const M3& R, V3 omega, At& at) const {
    const V3 x = link.I * R.a, y = link.I * R.b, z = link.I * R.c;
    const S3 I = {dot(x, R.a), dot(x, R.b), dot(x, R.c), dot(y, R.b), dot(y, R.c), dot(z, R.c)};
    const V3 c = R * link.c, k = link.m * c;
    at.arm = c;
    at.I = {I.xx + k.y * c.y + k.z * c.z, I.xy - k.x * c.y, I.xz - k.x * c.z,
            I.yy + k.x * c.x + k.z * c.z, I.yz - k.y * c.z, I.zz + k.x * c.x + k.y * c.y};
    at.force = link.m * (cross(omega, cross(omega, c)) - gravity);
    at.moment = cross(omega, I * omega) + cross(c, at.force);
  }

  // To the joint at −d.
  static void shift(V3 d, S3& I, M3& H, const S3& M) {
    const V3 x = cross(d, {M.xx, M.xy, M.xz}), y = cross(d, {M.xy, M.yy, M.yz}),
             z = cross(d, {M.xz, M.yz, M.zz});
    const M3 K = {{H.a.x + x.x, H.a.y + y.x, H.a.z + z.x},
                  {H.b.x + x.y, H.b.y + y.y, H.b.z + z.y},
                  {H.c.x + x.z, H.c.y + y.z, H.c.z + z.z}};
    const V3 a = cross(d, H.a), b = cross(d, H.b), c = cross(d, H.c);
    const V3 e = cross(K.a, d), f = cross(K.b, d), g = cross(K.c, d);
    I = {I.xx + a.x - e.x, I.xy + b.x - e.y, I.xz + c.x - e.z,
         I.yy + b.y - f.y, I.yz + c.y - f.z, I.zz + c.z - g.z};
    H = K;
  }

  std::unique_ptr<At[]> at_;
};

}  // namespace handwritten
