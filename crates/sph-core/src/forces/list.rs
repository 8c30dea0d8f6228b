//! The list of the forces between particles, one line each. The sums over forces, the reactions on solids, the report of a refused
//! step and the columns of force probes go through it.

/// Calls the macro `$callback` with the list. Each line names the type of the force, which is also its variant of [`Force`], its module in
/// `forces/`, which is also the name of its column in force probes, and its name within a sentence. Forces are added up in the order of the list.
macro_rules! with_forces {
    ($callback:ident) => {
        $callback! {
            SurfaceTension in surface_tension, "surface tension";
            Adhesion in adhesion, "adhesion to walls";
            Spin in micropolar, "spin transfer";
            #[cfg(test)] WallFriction in wall_friction, "wall friction";
        }
    };
}

pub(super) use with_forces;

macro_rules! define_force {
    ($($(#[$cfg:meta])? $force:ident in $module:ident, $name:literal;)+) => {
        /// A force between particles, other than viscosity and pressure.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Force {
            $($(#[$cfg])? #[doc = concat!("Acceleration by ", $name, ".")] $force,)+
        }

        impl Force {
            /// All forces, in the order in which they are added up.
            pub const ALL: &[Self] = &[$($(#[$cfg])? Self::$force,)+];

            /// Number of forces.
            pub(crate) const COUNT: usize = Self::ALL.len();

            /// Name within a sentence: `surface tension`.
            pub fn name(self) -> &'static str {
                match self { $($(#[$cfg])? Self::$force => $name,)+ }
            }

            /// Name in the columns of force probes: `adhesion`.
            pub fn key(self) -> &'static str {
                match self { $($(#[$cfg])? Self::$force => stringify!($module),)+ }
            }
        }
    };
}

with_forces!(define_force);
