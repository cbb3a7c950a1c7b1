//! Signals: discrete Fourier transforms, windows, the mel scale.

mod fourier;
mod windows;

use super::operator::Operator;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("DFT", 17, fourier::dft_by_attribute),
    Operator::node("DFT", 20, fourier::dft),
    Operator::node("STFT", 17, fourier::stft),
    Operator::node("HannWindow", 17, |node| windows::window(node, [0.5, 0.5, 0.0])),
    Operator::node("HammingWindow", 17, |node| windows::window(node, [25.0 / 46.0, 21.0 / 46.0, 0.0])),
    Operator::node("BlackmanWindow", 17, |node| windows::window(node, [0.42, 0.5, 0.08])),
    Operator::node("MelWeightMatrix", 17, windows::mel_weights),
];
