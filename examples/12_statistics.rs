//! Statistics on the device: mean, spread, extremes, quantiles and a histogram of a series, and the year in which it changed.
//!
//! The series is the volume of the Nile at Aswan in the years from 1871 to 1970, in 10⁸ m³. It is in the public domain; G. W.
//! Cobb published it in 1978 ("The Problem of the Nile", Biometrika 65.2).

use std::error::Error;

use aclnn::{Device, Tensor};

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::open(0)?;
    let rows = include_str!("data/nile.csv").lines().skip(1).flat_map(|row| row.split(','));
    let numbers: Vec<f32> = rows.map(str::parse).collect::<Result<_, _>>()?;
    let table = Tensor::from_vec(&device, numbers, [100, 2])?;
    // Columns are views: nothing is copied.
    let (years, nile) = (table.select(1, 0)?, table.select(1, 1)?);

    // Two results of one operator are a tuple.
    let (std, mean) = nile.std_mean(..)?;
    println!("mean {:.2}, standard deviation {:.2}", mean.item::<f32>()?, std.item::<f32>()?);

    // Positions are tensors of i64, with which other tensors are read.
    for (what, at) in [("least", nile.argmin(..)?), ("most", nile.argmax(..)?)] {
        let (year, volume) = (years.take(&at)?, nile.take(&at)?);
        println!("{what}: {} in {}", volume.item::<f32>()?, year.item::<f32>()?);
    }

    let (sorted, _) = nile.sort(0)?;
    let quartiles = [25, 50, 75].map(|rank| sorted.select(0, rank).and_then(|one| one.item::<f32>()));
    let [low, middle, high] = quartiles;
    println!("quartiles {} {} {}", low?, middle?, high?);

    let counts = nile.histc(10, 400.0, 1400.0)?.to_vec::<i64>()?;
    for (bin, count) in counts.iter().enumerate() {
        println!("from {:4}: {}{count}", 400 + 100 * bin, "▇".repeat(*count as usize));
    }

    // Where a series changes its mean, the running sum of what it differs from the mean turns around.
    let turn = (&nile - &mean)?.cumsum(0)?.abs()?.argmax(..)?.item::<i64>()?;
    let (before, after) = nile.split_at(0, turn + 1)?;
    let (before, after) = (before.mean(..)?.item::<f32>()?, after.mean(..)?.item::<f32>()?);
    let last = years.select(0, turn)?.item::<f32>()?;
    println!("up to {last} the mean is {before:.1}, and then {after:.1}");
    Ok(())
}

// Output:
// mean 919.35, standard deviation 169.23
// least: 456 in 1913
// most: 1370 in 1879
// quartiles 799 897 1040
// from  400: ▇1
// from  500: 0
// from  600: ▇▇▇▇▇5
// from  700: ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇20
// from  800: ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇25
// from  900: ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇19
// from 1000: ▇▇▇▇▇▇▇▇▇9
// from 1100: ▇▇▇▇▇▇▇▇▇▇▇▇▇▇14
// from 1200: ▇▇▇▇▇▇6
// from 1300: ▇1
// up to 1898 the mean is 1097.8, and then 850.0
