//! The list of cases that both engines must pass.

use crate::{
    activity, changes, concurrency, engines::Engine, labels, listed, migrations, model, pages, search, tables,
};

pub type Case = fn(&dyn Engine);

macro_rules! cases {
    ($($module:ident: $($case:ident),*;)*) => {
        /// All cases with their names. PostgreSQL runs them sequentially on one server.
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
    tables: stored_record_reads_back_unchanged, names_are_unique_among_live_rows_of_one_parent,
        unique_lookups_apply_to_live_rows_only, lookups_find_live_rows, due_rows_are_listed_in_order,
        an_update_needs_the_latest_generation, update_moves_index_entries, deleted_rows_are_invisible,
        removed_rows_are_gone, purge_removes_old_deleted_rows, rows_are_counted_and_tested_for_existence,
        readers_cannot_write, misuse_is_reported, reserved_words_are_valid_names;
    pages: every_order_lists_each_row_once, pages_survive_inserts_and_deletes,
        undeclared_orders_are_refused;
    changes: change_log_lists_all_changes_in_order, change_log_omits_changes_that_were_rolled_back,
        change_log_is_pruned, signal_wakes_readers_after_commits,
        change_log_is_complete_under_concurrent_writers;
    concurrency: counters_lose_no_increment, failed_operation_does_not_affect_others,
        rollback_to_savepoint_undoes_part_of_an_operation, panic_fails_only_its_operation,
        too_many_operations_are_refused, reads_see_acknowledged_writes, asynchronous_operations_complete,
        concurrent_inserts_keep_names_unique, close_finishes_accepted_operations;
    migrations: reopened_database_keeps_its_content, later_migrations_add_tables_and_lookups,
        newer_databases_are_refused, failed_migration_changes_nothing,
        tables_and_columns_are_renamed_and_dropped, a_new_database_takes_all_migrations,
        other_tables_at_the_same_version_are_refused, migration_resumes_after_a_crash_at_any_statement;
    search: search_results_are_ordered_by_rank, search_follows_changes,
        addresses_are_found_by_enclosing_networks, rebuilt_search_index_is_the_same;
    activity: entries_are_found_by_what_they_are_about, a_transaction_tells_what_it_changed;
    labels: labels_are_written_with_their_lookups, labels_move_with_their_resource;
    listed: lists_have_natural_order_and_follow_changes;
    model: random_operations_agree_with_model;
}
