/**
 * The element type f4_e2m1 for programs in C++: a sign, two bits of exponent and one of fraction, converted from and to
 * `float`. In C the header is empty.
 */
#ifndef ACLNN_OPDEV_FLOAT4_E2M1_H
#define ACLNN_OPDEV_FLOAT4_E2M1_H

#include <stdint.h>

#ifdef __cplusplus

#include <cmath>

namespace op {

/** A number of f4_e2m1 (the name of the type is chosen here): 0, 0.5, 1, 1.5, 2, 3, 4 or 6, with a sign. There is no infinity and no NaN. */
struct Float4E2M1 {
    /** The bits, the lowest four of the byte */
    uint8_t value;

    Float4E2M1() : value(0) {}

    /** Rounds to nearest, ties to an even fraction; larger numbers become 6, and a NaN becomes 6 of its sign. */
    Float4E2M1(float number) : value(bits_of(number)) {}

    operator float() const
    {
        static const float magnitudes[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
        const float magnitude = magnitudes[value & 7u];
        return value & 8u ? -magnitude : magnitude;
    }

private:
    static uint8_t bits_of(float number)
    {
        /* Where one number ends and the next begins; a tie belongs to the even one. */
        static const float ends[] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
        const float magnitude = std::fabs(number);
        uint8_t bits = 0;
        while (bits < 7 && !(magnitude < ends[bits] || (magnitude == ends[bits] && bits % 2 == 0))) {
            ++bits;
        }
        return static_cast<uint8_t>(bits | (std::signbit(number) ? 8u : 0u));
    }
};

} // namespace op

#endif

#endif
