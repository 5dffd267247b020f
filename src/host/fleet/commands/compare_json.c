#include <inttypes.h>
#include <math.h>

#include "base/csv.h"
#include "base/json.h"
#include "fleet/commands/commands.h"
#include "fleet/compare.h"
#include "fleet/session.h"

double dj_fleet_get_shown_value(size_t metric, double value)
{
    return dj_fleet_metrics[metric].quantile > 0 ? value : 100 * value;
}

static void write_sides(struct dj_text *json, const char *key,
                        const int64_t sessions[DJ_FLEET_SIDES])
{
    dj_json_open_object(json, key);
    dj_json_add_int(json, "from", sessions[DJ_FLEET_FROM]);
    dj_json_add_int(json, "to", sessions[DJ_FLEET_TO]);
    dj_json_close(json, "}");
}

static void write_metric(struct dj_text *json, size_t metric,
                         const struct dj_family_member *member)
{
    const struct dj_effect *effect = &member->effect;
    dj_json_open_object(json, NULL);
    dj_json_add_string(json, "metric", dj_fleet_metrics[metric].name);
    dj_json_add_string(json, "name", dj_fleet_metrics[metric].words);
    dj_json_add_string(json, "unit", dj_fleet_metrics[metric].unit);
    dj_json_add_bool(json, "gates", member->gates);
    dj_json_add_number(json, "from", dj_fleet_get_shown_value(metric, effect->a));
    dj_json_add_number(json, "to", dj_fleet_get_shown_value(metric, effect->b));
    dj_json_add_number(json, "ratio", effect->ratio);
    dj_json_add_bounds(json, "ci", effect->ci.low, effect->ci.high);
    dj_json_add_number(json, "level", effect->level);
    dj_json_add_number(json, "margin", effect->margin);
    dj_json_add_number(json, "p", effect->p);
    dj_json_add_number(json, "p_adjusted", member->adjusted_p);
    dj_json_add_int(json, "models", (int64_t)effect->n_a);
    dj_json_add_string(json, "verdict", dj_compare_verdict_name(effect->verdict));
    dj_json_add_string(json, "refused", dj_compare_refusal_name(effect->refusal));
    dj_json_close(json, "}");
}

static void write_metrics(struct dj_text *json, const struct dj_family_member *members)
{
    dj_json_open_array(json, "metrics");
    for (size_t i = 0; i < DJ_FLEET_METRICS && members != NULL; i++) {
        write_metric(json, i, &members[i]);
    }
    dj_json_close(json, "]");
}

static void write_class(struct dj_text *json, const struct dj_fleet_class *class)
{
    dj_json_open_object(json, NULL);
    dj_json_add_name(json, "class", class->name);
    dj_json_add_bool(json, "compared", class->is_compared);
    dj_json_add_number(json, "weight", class->weight);
    dj_json_add_int(json, "models", (int64_t) class->model_count);
    dj_json_open_object(json, "models_of");
    dj_json_add_int(json, "from", (int64_t) class->models_of[DJ_FLEET_FROM]);
    dj_json_add_int(json, "to", (int64_t) class->models_of[DJ_FLEET_TO]);
    dj_json_close(json, "}");
    write_sides(json, "sessions", class->sessions);
    write_sides(json, "compared_sessions", class->compared);
    dj_json_add_string(
        json, "verdict",
        class->is_compared ? dj_compare_verdict_name(class->verdict.verdict) : NULL);
    write_metrics(json, class->members);
    dj_json_close(json, "}");
}

void dj_fleet_write_comparison_json(struct dj_text *json,
                                    const struct dj_fleet_compare_view *view)
{
    const struct dj_fleet_comparison *comparison = view->comparison;
    const struct dj_fleet_class *leading = comparison->leading_class;
    dj_json_open_document(json, "dejank.fleet-compare/1");
    dj_fleet_write_scope_json(json, view->state, view->is_provisional);
    dj_json_add_string(json, "app", view->request->app);
    dj_json_add_string(json, "from", view->request->from);
    dj_json_add_string(json, "to", view->request->to);
    dj_json_add_number(json, "slow_session_percent", view->limits.slow_pct);
    dj_json_add_number(json, "frozen_session_percent", view->limits.frozen_pct);
    dj_json_add_string(json, "verdict",
                       dj_compare_verdict_name(comparison->verdict.verdict));
    dj_json_add_bool(json, "contradictory", comparison->verdict.contradictory);
    dj_json_add_string(json, "leading_metric",
                       comparison->leading < DJ_FLEET_METRICS
                           ? dj_fleet_metrics[comparison->leading].name
                           : NULL);
    dj_json_add_name(json, "leading_class", leading != NULL ? leading->name : "");
    dj_json_add_number(json, "alpha", comparison->rules.alpha);
    dj_json_add_int(json, "models_least", DJ_FLEET_MODELS_LEAST);
    write_sides(json, "sessions", comparison->sessions);
    write_sides(json, "compared_sessions", comparison->compared);
    write_metrics(json, comparison->members);
    dj_json_open_array(json, "classes");
    for (size_t i = 0; i < comparison->class_count; i++) {
        write_class(json, &comparison->classes[i]);
    }
    dj_json_close(json, "]}\n");
}

static void add_number(struct dj_text *csv, double value)
{
    dj_text_add(csv, ",");
    if (isfinite(value)) {
        dj_text_format(csv, "%.6g", value);
    }
}

static void write_rows(struct dj_text *csv, const char *scope, const char *class,
                       const struct dj_family_member *members)
{
    for (size_t i = 0; i < DJ_FLEET_METRICS; i++) {
        const struct dj_effect *effect = &members[i].effect;
        const char *refused = dj_compare_refusal_name(effect->refusal);
        const double numbers[] = {dj_fleet_get_shown_value(i, effect->a),
                                  dj_fleet_get_shown_value(i, effect->b),
                                  effect->ratio,
                                  effect->ci.low,
                                  effect->ci.high,
                                  effect->level,
                                  effect->p,
                                  members[i].adjusted_p};
        dj_text_format(csv, "%s,", scope);
        dj_csv_append_cell(csv, class, DJ_CSV_ONE_LINE);
        dj_text_format(csv, ",%s,%s,%s", dj_fleet_metrics[i].name,
                       dj_fleet_metrics[i].unit, members[i].gates ? "yes" : "no");
        for (size_t k = 0; k < COUNT_OF(numbers); k++) {
            add_number(csv, numbers[k]);
        }
        dj_text_format(csv, ",%zu,%s,%s\n", effect->n_a,
                       dj_compare_verdict_name(effect->verdict),
                       refused != NULL ? refused : "");
    }
}

void dj_fleet_write_comparison_csv(struct dj_text *csv,
                                   const struct dj_fleet_comparison *comparison)
{
    dj_text_add(csv, "scope,class,metric,unit,gates,from,to,ratio,ci_low,ci_high,level,p,"
                     "p_adjusted,models,verdict,refused\n");
    if (comparison->compared_count > 0) {
        write_rows(csv, "all", "", comparison->members);
    }
    for (size_t i = 0; i < comparison->compared_count; i++) {
        write_rows(csv, "class", comparison->classes[i].name,
                   comparison->classes[i].members);
    }
}
