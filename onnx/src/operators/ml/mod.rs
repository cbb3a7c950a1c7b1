//! Operators of `ai.onnx.ml`: encoders, scalers, linear models, support vectors, trees.

mod encoders;
mod features;
mod labels;
mod linear;
mod scores;
mod support_vectors;
mod trees;

use super::operator::Operator;

const DOMAIN: &str = "ai.onnx.ml";

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("ArrayFeatureExtractor", 1, features::extract).of(DOMAIN),
    Operator::node("Binarizer", 1, features::binarizer).of(DOMAIN),
    Operator::node("CastMap", 1, |_| no_maps()).of(DOMAIN),
    Operator::node("CategoryMapper", 1, encoders::category_mapper).of(DOMAIN),
    Operator::node("DictVectorizer", 1, |_| no_maps()).of(DOMAIN),
    Operator::node("FeatureVectorizer", 1, features::vectorizer).of(DOMAIN),
    Operator::node("Imputer", 1, features::imputer).of(DOMAIN),
    Operator::node("LabelEncoder", 1, encoders::by_place).of(DOMAIN),
    Operator::node("LabelEncoder", 2, encoders::by_key).of(DOMAIN),
    Operator::node("LinearClassifier", 1, linear::classifier).of(DOMAIN),
    Operator::node("LinearRegressor", 1, linear::regressor).of(DOMAIN),
    Operator::node("Normalizer", 1, features::normalizer).of(DOMAIN),
    Operator::node("OneHotEncoder", 1, encoders::one_hot).of(DOMAIN),
    Operator::node("SVMClassifier", 1, support_vectors::classifier).of(DOMAIN),
    Operator::node("SVMRegressor", 1, support_vectors::regressor).of(DOMAIN),
    Operator::node("Scaler", 1, features::scaler).of(DOMAIN),
    Operator::node("TreeEnsemble", 5, trees::ensemble).of(DOMAIN),
    Operator::node("TreeEnsembleClassifier", 1, trees::classifier).of(DOMAIN),
    Operator::node("TreeEnsembleRegressor", 1, trees::regressor).of(DOMAIN),
    Operator::node("ZipMap", 1, |_| no_maps()).of(DOMAIN),
];

fn no_maps() -> crate::error::NodeResult<crate::run::Prepared> {
    crate::error::Reason::missing(
        "values that are maps are not supported; a converter can leave them out (`zipmap` of skl2onnx)",
    )
}
