//! Conversions of elements of less than a byte, which lie packed in the memory of a device.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::convert::pack::Width;

use crate::views::block::size_of_dtype;
use crate::{Body, Bound, Conversions, Scratch};

/// One tensor converted to another of the same shape, of which one or both are packed. A packed one is seen as bytes; a
/// conversion takes and makes one code per byte.
pub struct Packed {
    from: Side,
    to: Side,
    conversions: Conversions,
    numel: usize,
}

/// How the elements of a tensor lie in its view.
struct Side {
    /// Elements of less than a byte, packed.
    width: Option<Width>,
    /// Bytes of an element, or of its code.
    size: usize,
    /// Elements that the view counts as one.
    together: usize,
}

impl Side {
    fn of(dtype: DType) -> Self {
        let bits = dtype.bits();
        let width = Width::of(dtype).filter(|_| bits < 8);
        Side { width, size: size_of_dtype(dtype), together: width.map_or(1, |_| 8 / bits) }
    }
}

impl Packed {
    /// For a tensor of `numel` elements; types of 6 bits, which fill no single byte, are none of Cast.
    pub fn new(from: DType, to: DType, conversions: Conversions, numel: usize) -> Self {
        Packed { from: Side::of(from), to: Side::of(to), conversions, numel }
    }
}

impl Body for Packed {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch) {
        let Some(input) = inputs.first() else { return };
        let Scratch { first, second, .. } = scratch;
        let elements = range.start * self.to.together..(range.end * self.to.together).min(self.numel);
        let count = elements.len();
        let places = elements.start / self.from.together..elements.end.div_ceil(self.from.together);
        // A block may begin within a byte.
        let before = elements.start % self.from.together;
        let loaded = &mut first.from.bytes_mut()[..places.len() * input.size()];
        input.gather(places, loaded);
        let source = match self.from.width {
            None => loaded,
            Some(width) => {
                let codes = &mut first.to.bytes_mut()[..before + count];
                width.unpack(loaded, codes);
                &mut codes[before..]
            }
        };
        match self.to.width {
            None => self.conversions.apply(count, source, out, &mut second.between),
            Some(width) => {
                let codes = &mut second.to.bytes_mut()[..count];
                self.conversions.apply(count, source, codes, &mut second.between);
                width.pack(codes, out);
            }
        }
    }

    fn widest(&self) -> usize {
        // A byte of the output may stand for several elements of the input.
        self.from.size.max(self.to.size) * self.to.together
    }

    fn steps(&self) -> Vec<&'static str> {
        vec![if self.conversions.is_empty() { "copy" } else { "convert" }]
    }
}
