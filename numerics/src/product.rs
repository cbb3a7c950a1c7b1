//! The Ascend products, which differ in the element types that their operators take.

/// A line of Ascend products whose operators take the same element types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    /// Ascend 910, the first training series, which has no bf16.
    Ascend910,
    /// Ascend 310P, the inference series, which takes the same element types as the 910.
    Ascend310P,
    /// Ascend 910B and 910_93 (Atlas A2 and A3).
    Ascend910B,
    /// Ascend 950.
    Ascend950,
}

impl Product {
    /// Every product, from the oldest to the newest.
    pub const ALL: [Product; 4] =
        [Product::Ascend910, Product::Ascend310P, Product::Ascend910B, Product::Ascend950];

    /// Returns the product with this SoC name, as `aclrtGetSocName` reports it: `Ascend910B1`, `Ascend310P3`. `None`
    /// for other names.
    pub fn from_soc_name(name: &str) -> Option<Product> {
        let model = name.trim().strip_prefix("Ascend")?;
        [
            ("910B", Product::Ascend910B),
            ("910_93", Product::Ascend910B),
            ("910", Product::Ascend910),
            ("310P", Product::Ascend310P),
            ("950", Product::Ascend950),
        ]
        .into_iter()
        .find_map(|(prefix, product)| model.starts_with(prefix).then_some(product))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soc_names_are_told_apart() {
        for (name, product) in [
            ("Ascend910B1", Some(Product::Ascend910B)),
            ("Ascend910_9391", Some(Product::Ascend910B)),
            ("Ascend910A", Some(Product::Ascend910)),
            ("Ascend910ProB", Some(Product::Ascend910)),
            ("Ascend310P3", Some(Product::Ascend310P)),
            ("Ascend950PR", Some(Product::Ascend950)),
            ("Ascend310B1", None),
            ("", None),
        ] {
            assert_eq!(Product::from_soc_name(name), product, "{name}");
        }
    }
}
