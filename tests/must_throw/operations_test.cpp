// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "wrong_kernel.hpp"

namespace tw::tests {
namespace {

void unlike_shapes(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  auto y = a.tiles(n)(0);
  next_line_is_wrong();
  c.store(x + y);
}

void unlike_shapes_in_compare(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(where(x < a.tiles(n)(0), x, 0.f));
}

void unlike_shapes_in_where(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(where(x < 0.f, x, a.tiles(n)(0)));
}

void unlike_shapes_in_fma(Out<float, dyn> c, In1<float> a, int n) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(fma(x, x, a.tiles(n)(0)));
}

void product_of_unlike_depths(Out<float, dyn, dyn> c, In2<half> a, In2<half> b, int k) {
  auto left = a.tiles(dim<0>(c), k)(0, 0);
  auto right = b.tiles(2 * k, dim<1>(c))(0, 0);
  next_line_is_wrong();
  c.store(dot(left, right));
}

void product_into_another_shape(Out<float, dyn, dyn> c, In2<half> a, In2<half> b, int m) {
  auto left = a.tiles(m, 4)(0, 0);
  auto right = b.tiles(4, dim<1>(c))(0, 0);
  next_line_is_wrong();
  c.store(mma(left, right, zeros<float>(dim<0>(c), dim<1>(c))));
}

void product_into_another_type(Out<double, dyn, dyn> c, In2<half> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(mma(x, x, zeros<double>(dim<0>(c), dim<1>(c))));
}

void product_of_wide_integers(Out<int, dyn, dyn> c, In2<int> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(dot(x, x));
}

void scaled_product_of_unlike_blocks(Out<float, dyn, dyn> c, In2<f8e4m3> a, In2<f8e8m0> s, int ks) {
  auto x = a.load_like(c);
  auto zero = zeros<float>(dim<0>(c), dim<1>(c));
  next_line_is_wrong();
  c.store(mma_scaled(x, x, zero, s.tiles(dim<0>(c), ks)(0, 0), s.tiles(2 * ks, dim<1>(c))(0, 0)));
}

void scaled_product_of_whole_numbers(Out<float, dyn, dyn> c, In2<half> a, In2<half> s, int ks) {
  auto x = a.load_like(c);
  auto zero = zeros<float>(dim<0>(c), dim<1>(c));
  next_line_is_wrong();
  c.store(mma_scaled(x, x, zero, s.tiles(dim<0>(c), ks)(0, 0), s.tiles(ks, dim<1>(c))(0, 0)));
}

void number_too_large(Out<std::int8_t, dyn> c, In1<std::int8_t> a) {
  next_line_is_wrong();
  c.store(a.load_like(c) + 300);
}

void number_negative(Out<std::uint8_t, dyn> c, In1<std::uint8_t> a) {
  next_line_is_wrong();
  c.store(max(a.load_like(c), -1));
}

void number_huge(Out<int, dyn> c, In1<int> a) {
  next_line_is_wrong();
  c.store(a.load_like(c) ^ 18446744073709551615u);
}

void number_fractional(Out<int, dyn> c, In1<int> a) {
  next_line_is_wrong();
  c.store(0.5 * a.load_like(c));
}

void number_not_a_number(Out<int, dyn> c) {
  next_line_is_wrong();
  c.store(full<int>(NAN, dim<0>(c)));
}

void number_between_halves(Out<half, dyn> c, In1<half> a) {
  next_line_is_wrong();
  c.store(a.load_like(c) + 2049);
}

void number_beyond_half(Out<half, dyn> c, In1<half> a) {
  next_line_is_wrong();
  c.store(a.load_like(c) / 100000u);
}

void number_as_truth(Out<bool, dyn> c, In1<bool> a) {
  next_line_is_wrong();
  c.store(a.load_like(c) & 2);
}

void number_as_identity(Out<std::uint8_t, 1> c, In1<std::uint8_t> a) {
  auto larger = [](auto x, auto y) { return max(x, y); };
  next_line_is_wrong();
  c.store(reduce<0>(a.tiles<8>()(0), -1, larger));
}

void number_from_a_combiner(Out<std::int8_t, 1> c, In1<std::int8_t> a) {
  auto constant = [](auto, auto) { return 300; };
  next_line_is_wrong();
  c.store(reduce<0>(a.tiles<8>()(0), 0, constant));
}

void arithmetic_on_eight_bits(Out<f8e4m3, dyn> c, In1<f8e4m3> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x + x);
}

void comparison_of_eight_bits(Out<bool, dyn> c, In1<f8e5m2> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x < x);
}

void sum_of_eight_bits(Out<f8e4m3, 1> c, In1<f8e4m3> a) {
  auto x = a.tiles<8>()(0);
  next_line_is_wrong();
  c.store(sum<0>(x));
}

void choice_of_four_bits(Out<f4e2m1, dyn> c, In1<f4e2m1> a, In1<int> flags) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(where(flags.load_like(c) > 0, x, x));
}

void arithmetic_on_truth(Out<bool, dyn> c, In1<bool> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x + x);
}

void negated_truth(Out<bool, dyn> c, In1<bool> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(-x);
}

void bits_of_floats(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(x & x);
}

void exponential_of_integers(Out<int, dyn> c, In1<int> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(exp(x));
}

void not_a_number_among_integers(Out<bool, dyn> c, In1<int> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(isnan(x));
}

void floor_division_of_floats(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(floor_div(x, 2.f));
}

void all_of_floats(Out<float, 1> c, In1<float> a) {
  auto x = a.tiles<8>()(0);
  next_line_is_wrong();
  c.store(all_of<0>(x));
}

void flush_of_halves(Out<half, dyn> c, In1<half> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(add(x, x, {.ftz = true}));
}

void approximate_halves(Out<half, dyn> c, In1<half> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(div(x, x, {.rounding = approx}));
}

void approximate_sum(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(add(x, x, {.rounding = approx}));
}

void rounded_minimum(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(min(x, x, {.rounding = rounding::zero}));
}

void rounded_exponential(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(exp(x, {.rounding = rounding::zero}));
}

void propagating_sum(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(add(x, x, {.propagate_nan = true}));
}

void rounded_integers(Out<int, dyn> c, In1<int> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(div(x, 3, {.rounding = rounding::negative}));
}

void propagating_integers(Out<int, 1> c, In1<int> a) {
  auto x = a.tiles<8>()(0);
  next_line_is_wrong();
  c.store(max<0>(x, {.propagate_nan = true}));
}

void rounded_conversion_to_integers(Out<int, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(as<int>(x, {.rounding = rounding::nearest}));
}

void conversion_away_from_zero(Out<half, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(as<half>(x, {.rounding = rounding::positive}));
}

void approximate_conversion(Out<half, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(as<half>(x, {.rounding = approx}));
}

void integer_scale(Out<f8e8m0, dyn> c, In1<int> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  c.store(as<f8e8m0>(x));
}

void print_of_too_few(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("%f and %f", x);
  c.store(x);
}

void print_cut_short(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("100%", x);
  c.store(x);
}

void print_of_a_percentage(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("100%, x = %f", x);
  c.store(x);
}

void print_of_a_width(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("%s: %*f", x, x);
  c.store(x);
}

void print_of_a_great_precision(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("%.1000f", x);
  c.store(x);
}

void print_of_a_count(Out<float, dyn> c, In1<float> a) {
  auto x = a.load_like(c);
  next_line_is_wrong();
  print("%n", x);
  c.store(x);
}

const WrongKernel operations[] = {
    wrong<&unlike_shapes>("UnlikeShapes", {{cut(8)}}, {"tile shapes 8 and 4 do not broadcast"}, 4),
    wrong<&unlike_shapes_in_compare>("UnlikeShapesInCompare", {{cut(8)}},
                                     {"tile shapes 8 and 4 do not broadcast"}, 4),
    wrong<&unlike_shapes_in_where>("UnlikeShapesInWhere", {{cut(8)}},
                                   {"where: shapes 8, 8 and 4 do not broadcast"}, 4),
    wrong<&unlike_shapes_in_fma>("UnlikeShapesInFma", {{cut(8)}},
                                 {"tile shapes 8 and 4 do not broadcast"}, 4),
    wrong<&product_of_unlike_depths>("ProductOfUnlikeDepths", {{cut(16), cut(8)}},
                                     {"mma of 16x4 (m x k) by 8x8 (k x n) into 16x8 (m x n): k is "
                                      "4 and 8, m is 16 and 16, n is 8 and 8"},
                                     4),
    wrong<&product_into_another_shape>("ProductIntoAnotherShape", {{cut(16), cut(8)}},
                                       {"k is 4 and 4, m is 32 and 16, n is 8 and 8"}, 32),
    wrong<&product_into_another_type>("ProductIntoAnotherType", {{cut(8), cut(8)}},
                                      {"mma of half by half cannot accumulate in double"}),
    wrong<&product_of_wide_integers>("ProductOfWideIntegers", {{cut(8), cut(8)}},
                                     {"mma of int32_t by int32_t cannot accumulate in int32_t"}),
    wrong<&scaled_product_of_unlike_blocks>("ScaledProductOfUnlikeBlocks", {{cut(64), cut(64)}},
                                            {"mma_scaled of 64x64 by 64x64 into 64x64 with scales "
                                             "64x2 and 4x64: the shapes do not fit"},
                                            2),
    wrong<&scaled_product_of_whole_numbers>(
        "ScaledProductOfWholeNumbers", {{cut(64), cut(64)}},
        {"mma_scaled does not multiply half with scales of half in blocks of 32"}, 2),
    wrong<&number_too_large>("NumberTooLarge", {{cut(8)}}, {"300 does not fit into int8_t"}),
    wrong<&number_negative>("NumberNegative", {{cut(8)}}, {"-1 does not fit into uint8_t"}),
    wrong<&number_huge>("NumberHuge", {{cut(8)}},
                        {"18446744073709551615 does not fit into int32_t"}),
    wrong<&number_fractional>("NumberFractional", {{cut(8)}}, {"0.5 is not a value of int32_t"}),
    wrong<&number_not_a_number>("NumberNotANumber", {{cut(8)}}, {"nan is not a value of int32_t"}),
    wrong<&number_between_halves>(
        "NumberBetweenHalves", {{cut(8)}},
        {"2049 is not a value of half: write 2049.0 for the nearest one"}),
    wrong<&number_beyond_half>("NumberBeyondHalf", {{cut(8)}}, {"100000 is not a value of half"}),
    wrong<&number_as_truth>("NumberAsTruth", {{cut(8)}}, {"2 does not fit into bool"}),
    wrong<&number_as_identity>("NumberAsIdentity", {{cut(1)}}, {"-1 does not fit into uint8_t"}),
    wrong<&number_from_a_combiner>("NumberFromACombiner", {{cut(1)}},
                                   {"300 does not fit into int8_t"}),
    wrong<&arithmetic_on_eight_bits>(
        "ArithmeticOnEightBits", {{cut(8)}},
        {"+ is not defined on tiles of f8e4m3: convert with as<float>(x) first"}),
    wrong<&comparison_of_eight_bits>(
        "ComparisonOfEightBits", {{cut(8)}},
        {"a comparison is not defined on tiles of f8e5m2: convert with as<float>(x) first"}),
    wrong<&sum_of_eight_bits>("SumOfEightBits", {{cut(1)}},
                              {"+ is not defined on tiles of f8e4m3"}),
    wrong<&choice_of_four_bits>("ChoiceOfFourBits", {{cut(8)}},
                                {"where is not defined on tiles of f4e2m1"}),
    wrong<&arithmetic_on_truth>("ArithmeticOnTruth", {{cut(8)}},
                                {"+ is not defined on tiles of bool"}),
    wrong<&negated_truth>("NegatedTruth", {{cut(8)}}, {"- is not defined on tiles of bool"}),
    wrong<&bits_of_floats>("BitsOfFloats", {{cut(8)}}, {"& is not defined on tiles of float"}),
    wrong<&exponential_of_integers>("ExponentialOfIntegers", {{cut(8)}},
                                    {"exp is not defined on tiles of int32_t"}),
    wrong<&not_a_number_among_integers>("NotANumberAmongIntegers", {{cut(8)}},
                                        {"isnan is not defined on tiles of int32_t"}),
    wrong<&floor_division_of_floats>("FloorDivisionOfFloats", {{cut(8)}},
                                     {"floor_div is not defined on tiles of float"}),
    wrong<&all_of_floats>("AllOfFloats", {{cut(1)}},
                          {"this reduction is not defined on tiles of float"}),
    wrong<&flush_of_halves>("FlushOfHalves", {{cut(8)}}, {"+ cannot flush denormals of half"}),
    wrong<&approximate_halves>("ApproximateHalves", {{cut(8)}},
                               {"/ has no such rounding for half"}),
    wrong<&approximate_sum>("ApproximateSum", {{cut(8)}}, {"+ has no such rounding for float"}),
    wrong<&rounded_minimum>("RoundedMinimum", {{cut(8)}}, {"min has no such rounding for float"}),
    wrong<&rounded_exponential>("RoundedExponential", {{cut(8)}},
                                {"exp has no such rounding for float"}),
    wrong<&propagating_sum>("PropagatingSum", {{cut(8)}}, {"+ has no option propagate_nan"}),
    wrong<&rounded_integers>("RoundedIntegers", {{cut(8)}}, {"/ of integers has no options"}),
    wrong<&propagating_integers>("PropagatingIntegers", {{cut(1)}},
                                 {"max of integers has no options"}),
    wrong<&rounded_conversion_to_integers>(
        "RoundedConversionToIntegers", {{cut(8)}},
        {"only conversions between floating-point types take a rounding"}),
    wrong<&conversion_away_from_zero>("ConversionAwayFromZero", {{cut(8)}},
                                      {"a conversion of float to half has no such rounding"}),
    wrong<&approximate_conversion>("ApproximateConversion", {{cut(8)}},
                                   {"a conversion of float to half has no such rounding"}),
    wrong<&integer_scale>("IntegerScale", {{cut(8)}},
                          {"int32_t does not convert to f8e8m0: convert with as<float>(x) first"}),
    wrong<&print_of_too_few>("PrintOfTooFew", {{cut(8)}},
                             {"print: the format shows 2 values, not 1"}),
    wrong<&print_cut_short>("PrintCutShort", {{cut(8)}},
                            {"print: \"%\" does not begin with a conversion of printf"}),
    wrong<&print_of_a_percentage>(
        "PrintOfAPercentage", {{cut(8)}},
        {"print: \"%, x = %f\" does not begin with a conversion of printf: write %%"}),
    wrong<&print_of_a_width>("PrintOfAWidth", {{cut(8)}},
                             {"print: \"%*f\" does not begin with a conversion of printf"}),
    wrong<&print_of_a_great_precision>(
        "PrintOfAGreatPrecision", {{cut(8)}},
        {"print: \"%.1000f\" does not begin with a conversion of printf"}),
    wrong<&print_of_a_count>("PrintOfACount", {{cut(8)}},
                             {"print: \"%n\" does not begin with a conversion of printf"}),
};

INSTANTIATE_TEST_SUITE_P(Operations, MustThrow, testing::ValuesIn(operations),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tw::tests
