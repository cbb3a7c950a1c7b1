/**
 * The element type f16 for programs in C++: IEEE binary16, converted from and to `float`. In C the header is empty.
 */
#ifndef ACLNN_OPDEV_FP16_T_H
#define ACLNN_OPDEV_FP16_T_H

#include <stdint.h>

#ifdef __cplusplus

#include <cstring>

namespace op {

/** A number of f16. */
struct fp16_t {
    /** The bits */
    uint16_t val;

    fp16_t() : val(0) {}

    /** Rounds to nearest, ties to even; a number that is too large becomes an infinity. */
    fp16_t(float number) : val(bits_of(number)) {}

    operator float() const
    {
        const uint32_t sign = (val & 0x8000u) << 16;
        const uint32_t exponent = (val >> 10) & 0x1fu;
        const uint32_t fraction = val & 0x3ffu;
        if (exponent == 0) {
            /* Multiples of 2 to the -24th, which a float holds exactly. */
            const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;
            return sign ? -magnitude : magnitude;
        }
        const uint32_t wide = exponent == 0x1fu ? 0xffu : exponent + 112u;
        const uint32_t bits = sign | (wide << 23) | (fraction << 13);
        float number;
        std::memcpy(&number, &bits, sizeof number);
        return number;
    }

private:
    static uint16_t bits_of(float number)
    {
        uint32_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        const uint32_t sign = (bits >> 16) & 0x8000u;
        const uint32_t magnitude = bits & 0x7fffffffu;
        if (magnitude > 0x7f800000u) {
            return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
        }
        /* From 65520 on, half a step above the largest number. */
        if (magnitude >= 0x477ff000u) {
            return static_cast<uint16_t>(sign | 0x7c00u);
        }
        /* Below 2 to the -25th everything rounds to zero, and so does the tie at it. */
        if (magnitude <= 0x33000000u) {
            return static_cast<uint16_t>(sign);
        }
        const uint32_t exponent = magnitude >> 23;
        const uint32_t dropped = exponent < 113u ? 126u - exponent : 13u;
        const uint32_t whole = exponent < 113u ? (magnitude & 0x7fffffu) | 0x800000u : magnitude - 0x38000000u;
        const uint32_t kept = whole >> dropped;
        const uint32_t rest = whole & ((1u << dropped) - 1u);
        const uint32_t half = 1u << (dropped - 1u);
        const uint32_t up = rest > half || (rest == half && (kept & 1u)) ? 1u : 0u;
        return static_cast<uint16_t>(sign | (kept + up));
    }
};

} // namespace op

#endif

#endif
