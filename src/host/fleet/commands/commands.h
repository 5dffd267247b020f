/* The commands of `dejank fleet`, and functions that they share. */
#ifndef DEJANK_FLEET_COMMANDS_COMMANDS_H
#define DEJANK_FLEET_COMMANDS_COMMANDS_H

#include "fleet/compare.h"
#include "fleet/fleet.h"
#include "fleet/query.h"

/* A command while it runs. */
struct dj_fleet_job {
    const struct dj_fleet_request *request;
    struct dj_fleet_answer *answer;
    struct dj_cluster cluster; /* The open cluster. */
    struct dj_error *err;
    int64_t begun_unix_s;
};

/* Each function runs one command of `dejank fleet`. Returns 0, or an error with
 * job->err. */
int dj_fleet_run_init(struct dj_fleet_job *job);
int dj_fleet_run_push(struct dj_fleet_job *job);
int dj_fleet_run_query(struct dj_fleet_job *job);
int dj_fleet_run_compare(struct dj_fleet_job *job);
int dj_fleet_run_rollup(struct dj_fleet_job *job);
int dj_fleet_run_check(struct dj_fleet_job *job);
int dj_fleet_run_prune(struct dj_fleet_job *job);
int dj_fleet_run_forget(struct dj_fleet_job *job);

/* What a dry run of push read from one source. */
struct dj_push_source {
    char *name;
    int64_t sessions; /* Number of sessions that would be sent. */
    int64_t refused;
};
void dj_fleet_write_dry_run(struct dj_fleet_answer *answer,
                            const struct dj_push_source *sources, size_t count);

/* Fills the query from --by, --app, --version, --since, --before and the thresholds. */
int dj_fleet_read_query(const struct dj_fleet_request *request,
                        struct dj_fleet_query *query, struct dj_error *err);

/* Parses a day of an option. NULL gives −1. */
int dj_fleet_read_day(const char *option, const char *text, int64_t *day,
                      struct dj_error *err);

/* Add what every answer states: how many shards answered, how many sessions it contains,
 * the newest session, and whether it is provisional. A missing shard is the first
 * line. */
void dj_fleet_add_missing(struct dj_document *document,
                          const struct dj_fleet_state *state);
void dj_fleet_add_scope(struct dj_document *document, const struct dj_fleet_state *state,
                        int64_t sessions, bool is_provisional);
void dj_fleet_write_scope_json(struct dj_text *json, const struct dj_fleet_state *state,
                               bool is_provisional);

/* The views of a result. */
void dj_fleet_build_result(struct dj_document *document,
                           const struct dj_fleet_result *result, size_t top);
void dj_fleet_write_result_json(struct dj_text *json,
                                const struct dj_fleet_result *result, size_t top);
void dj_fleet_write_result_csv(struct dj_text *csv, const struct dj_fleet_result *result,
                               size_t top);

/* Adds the table of the most important figures, with the first `rows` groups. */
void dj_fleet_add_main_table(struct dj_document *document,
                             const struct dj_fleet_result *result, size_t rows);

/* A comparison, and what its views need. */
struct dj_fleet_compare_view {
    const struct dj_fleet_request *request;
    const struct dj_fleet_state *state;
    bool is_provisional;
    struct dj_fleet_limits limits;
    const struct dj_fleet_comparison *comparison;
};
void dj_fleet_build_comparison(struct dj_document *document,
                               const struct dj_fleet_compare_view *view);
void dj_fleet_write_comparison_json(struct dj_text *json,
                                    const struct dj_fleet_compare_view *view);
void dj_fleet_write_comparison_csv(struct dj_text *csv,
                                   const struct dj_fleet_comparison *comparison);
/* Returns a value of a metric in its unit: ms or %. */
double dj_fleet_get_shown_value(size_t metric, double value);

/* Formats a number with a space between groups of three digits. */
void dj_fleet_append_count(struct dj_text *text, int64_t count);

#endif
