// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "wrong_kernel.hpp"

/// An output that a kernel stores nowhere would be left as it was allocated.
namespace tw::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> messages(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> texts;
  for (const Diagnostic& diagnostic : diagnostics) texts.push_back(diagnostic.message);
  return texts;
}

void stores_the_first(Out<float, dyn> a, Out<float, dyn>) { a.store(zeros<float>(dim<0>(a))); }

void walks_no_place(Grid<1>, Outs<float, dyn>) {}

void walks_without_storing(Outs<float, dyn> as) {
  for (auto a : places(as)) print("%d", block<0>(a));
}

TEST(NeverStored, NamesTheOutput) {
  EXPECT_THAT(
      messages(errors_of<&stores_the_first>(specialise<&stores_the_first>({{cut(8)}, {cut(8)}}))),
      ElementsAre(HasSubstr("argument 2 of kernel is an output that is never stored")));
  EXPECT_THAT(messages(errors_of<&walks_no_place>(specialise<&walks_no_place>({{cut(8)}}))),
              ElementsAre(HasSubstr("argument 2 of kernel is an output that is never stored")));
  EXPECT_THAT(
      messages(errors_of<&walks_without_storing>(specialise<&walks_without_storing>({{cut(8)}}))),
      ElementsAre(HasSubstr("argument 1 of kernel is an output that is never stored")));
}

void stores_in_a_branch(Out<float, dyn> a, Int n) {
  TW_IF(n > 0) { a.store(zeros<float>(dim<0>(a))); }
}

void stores_tiles(Out<float, dyn> a) { a.tiles(4).store(zeros<float>(4), 1); }

void leaves_an_optional_out(Out<float, dyn> a, std::optional<Out<float, dyn>> b) {
  a.store(zeros<float>(dim<0>(a)));
  if (b) b->store(zeros<float>(dim<0>(*b)));
}

void only_loads(Out<float, dyn> a, InOut<float, dyn> b) { a.store(b.load()); }

TEST(NeverStored, IsNoErrorWhereAStoreMayHappen) {
  EXPECT_THAT(errors_of<&stores_in_a_branch>(specialise<&stores_in_a_branch>({{cut(8)}})),
              IsEmpty());
  EXPECT_THAT(errors_of<&stores_tiles>(specialise<&stores_tiles>({{cut(8)}})), IsEmpty());
}

TEST(NeverStored, IsNoErrorWhereNothingIsLeftUninitialised) {
  Specialisation absent = specialise<&leaves_an_optional_out>({{cut(8)}, {cut(8)}});
  absent.parameters[1].present = false;
  EXPECT_THAT(errors_of<&leaves_an_optional_out>(absent), IsEmpty());
  EXPECT_THAT(errors_of<&only_loads>(specialise<&only_loads>({{cut(8)}, {cut(8)}})), IsEmpty());
}

}  // namespace
}  // namespace tw::tests
