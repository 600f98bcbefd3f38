//! The engines, behind one door: build a schema, check a value, and say how much the answer is.
//!
//! In: a schema and a value. Out: whether it passes, and the bytes of everything that the engine has to say if not.

use boon::{Compiler, SchemaIndex, Schemas};
use portcullis::{Limits, Scratch, UnknownFormats, Validator};
use serde_json::Value;

/// Who is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Portcullis,
    Jsonschema,
    Boon,
}

impl Engine {
    pub(crate) const ALL: [Engine; 3] = [Engine::Portcullis, Engine::Jsonschema, Engine::Boon];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Engine::Portcullis => "portcullis",
            Engine::Jsonschema => "jsonschema",
            Engine::Boon => "boon",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }

    /// Builds `schema`; `depth` and `formats` are for those who have such options.
    pub(crate) fn build(self, schema: &Value, limits: Limits, formats: bool) -> Result<Built, String> {
        match self {
            Engine::Portcullis => {
                let options = Validator::options().limits(limits).assert_format(formats);
                let built = options.unknown_formats(UnknownFormats::Annotate).build(schema);
                built
                    .map(|validator| Built::Portcullis(validator, Box::default()))
                    .map_err(|error| error.to_string())
            }
            Engine::Jsonschema => {
                let options = jsonschema::options().should_validate_formats(formats);
                options.build(schema).map(Built::Jsonschema).map_err(|error| error.to_string())
            }
            Engine::Boon => {
                let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
                if formats {
                    compiler.enable_format_assertions();
                }
                let place = "https://example.org/schema.json";
                compiler.add_resource(place, schema.clone()).map_err(|error| error.to_string())?;
                let index = compiler.compile(place, &mut schemas).map_err(|error| error.to_string())?;
                Ok(Built::Boon(Box::new(schemas), index))
            }
        }
    }
}

/// A schema that is ready.
pub(crate) enum Built {
    Portcullis(Validator, Box<Scratch>),
    Jsonschema(jsonschema::Validator),
    Boon(Box<Schemas>, SchemaIndex),
}

impl Built {
    /// Checks `value`, and spells out all that there is to say: the bytes of it, or nothing where it passes.
    pub(crate) fn answer(&mut self, value: &Value) -> Option<usize> {
        match self {
            Built::Portcullis(validator, scratch) => {
                let refusal = validator.check_with(scratch, value).err()?;
                Some(serde_json::to_string(&refusal).expect("no key but strings").len())
            }
            Built::Jsonschema(validator) => {
                if validator.is_valid(value) {
                    return None;
                }
                Some(validator.iter_errors(value).map(|error| error.to_string().len()).sum())
            }
            Built::Boon(schemas, index) => {
                let error = schemas.validate(value, *index).err()?;
                Some(error.to_string().len())
            }
        }
    }
}
