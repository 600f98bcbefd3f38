//! Validators that `jsonschema` generates at compile time, for some of the real data sets. They compile slowly, so they
//! are behind a feature, `generated`.
//!
//! In: a set's name. Out: its generated `is_valid`, or nothing where it is not among them.

use serde_json::Value;

/// A type a set, and how to find its function by the set's name.
macro_rules! generated {
    ($($name:ident, $set:literal, $path:tt;)*) => {
        $(
            #[jsonschema_generated::validator(
                path = $path,
                validate_formats = false,
                methods = { is_valid = true, validate = false, iter_errors = false }
            )]
            struct $name;
        )*

        /// The generated `is_valid` of a set.
        pub(crate) fn is_valid(set: &str) -> Option<fn(&Value) -> bool> {
            match set {
                $($set => Some($name::is_valid),)*
                _ => None,
            }
        }
    };
}

// Small ones and middling ones, and those that portcullis is slowest at.
generated! {
    AwsCdk, "aws-cdk", "../../../shared/datasets/aws-cdk/schema.json";
    Cspell, "cspell", "../../../shared/datasets/cspell/schema.json";
    Cypress, "cypress", "../../../shared/datasets/cypress/schema.json";
    Dependabot, "dependabot", "../../../shared/datasets/dependabot/schema.json";
    HelmChartLock, "helm-chart-lock", "../../../shared/datasets/helm-chart-lock/schema.json";
    Importmap, "importmap", "../../../shared/datasets/importmap/schema.json";
    Jasmine, "jasmine", "../../../shared/datasets/jasmine/schema.json";
    Jsconfig, "jsconfig", "../../../shared/datasets/jsconfig/schema.json";
    Lerna, "lerna", "../../../shared/datasets/lerna/schema.json";
    Stylecop, "stylecop", "../../../shared/datasets/stylecop/schema.json";
    Tmuxinator, "tmuxinator", "../../../shared/datasets/tmuxinator/schema.json";
    Yamllint, "yamllint", "../../../shared/datasets/yamllint/schema.json";
}
