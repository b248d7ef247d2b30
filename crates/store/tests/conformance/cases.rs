//! The list of cases that every engine passes.

use crate::{
    activity, changes, concurrency, engines::Engine, labels, listed, migrations, model, pages, search, tables,
};

pub type Case = fn(&dyn Engine);

macro_rules! cases {
    ($($module:ident: $($case:ident),*;)*) => {
        /// Every case with its name: PostgreSQL runs them one after the other on one server.
        pub static ALL: &[(&str, Case)] = &[$($((stringify!($case), $module::$case)),*),*];

        mod sqlite {
            $($(
                #[test]
                fn $case() {
                    crate::on_sqlite(crate::$module::$case);
                }
            )*)*
        }
    };
}

cases! {
    tables: a_record_comes_back_as_it_was, names_are_unique_among_the_live_of_one_parent,
        unique_lookups_bind_live_rows_only, lookups_find_live_rows, what_is_due_comes_in_order,
        an_update_needs_the_latest_generation, an_update_moves_indexes, deleted_rows_are_invisible,
        removal_is_for_good, purging_takes_old_deleted_rows, counting_and_existence,
        readers_cannot_write, misuse_is_reported, reserved_words_are_names;
    pages: every_order_lists_everything_once, pages_survive_inserts_and_deletes, undeclared_orders_are_refused;
    changes: the_log_tells_all_in_order, the_log_forgets_what_is_undone, the_log_is_pruned,
        the_signal_wakes_after_commits, the_log_is_complete_under_concurrent_writers;
    concurrency: counters_lose_no_increment, a_failed_operation_leaves_the_others, savepoints_undo_a_part,
        a_panic_hurts_only_its_operation, too_many_operations_are_refused, reads_see_acknowledged_writes,
        asynchronous_operations_work, names_are_given_once_under_concurrency,
        closing_finishes_what_was_accepted;
    migrations: reopening_keeps_everything, later_migrations_add_tables_and_lookups, newer_databases_are_refused,
        a_failed_migration_leaves_no_trace, tables_and_columns_are_renamed_and_dropped,
        a_new_database_takes_all_migrations, other_tables_at_the_same_version_are_refused,
        a_crash_at_each_statement_heals;
    search: what_is_searched_for_is_found_in_order, what_changes_is_found_as_it_is,
        addresses_are_found_by_what_contains_them, the_index_follows_from_the_records;
    activity: entries_are_found_by_what_they_are_about, a_transaction_tells_what_it_changed;
    labels: labels_are_written_with_what_finds_them, labels_move_with_their_resource;
    listed: lists_are_in_natural_order_and_follow_changes;
    model: random_operations_match_a_plain_model;
}
