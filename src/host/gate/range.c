#include "gate/range.h"

#include <math.h>
#include <string.h>

#include "facts/device_class.h"

static const struct {
    const char *name;
    /* The fact as a number, or DJ_FACT_COUNT if it is a text only. */
    enum dj_class_fact number;
    /* Offset of the text in struct dj_device_facts, or 0 if the fact is a number only. */
    size_t text;
    double factor;              /* Divisor from the fact's unit to the displayed unit. */
    const char *before, *after; /* Text around the displayed number. */
} kinds[DJ_RANGE_FACTS] = {
    [DJ_RANGE_RAM] = {"ram", DJ_FACT_RAM, 0, 1e9, "", " GB of RAM"},
    [DJ_RANGE_RELEASE] = {"release", DJ_FACT_API,
                          offsetof(struct dj_device_facts, release), 1, "API level ", ""},
    [DJ_RANGE_GPU] = {"gpu", DJ_FACT_COUNT, offsetof(struct dj_device_facts, gpu), 1, "",
                      ""},
    [DJ_RANGE_DENSITY] = {"density", DJ_FACT_DENSITY, 0, 1, "", " dpi"},
    [DJ_RANGE_REFRESH] = {"refresh", DJ_FACT_REFRESH, 0, 1, "", " Hz"},
};

const char *dj_gate_range_fact_name(enum dj_range_fact fact)
{
    return fact < DJ_RANGE_FACTS ? kinds[fact].name : NULL;
}

/* Returns the direction of a verdict: for a likely verdict, the verdict without
 * "likely". */
static enum dj_compare_verdict get_direction(enum dj_compare_verdict verdict)
{
    return verdict == DJ_VERDICT_LIKELY_REGRESSION    ? DJ_VERDICT_REGRESSION
           : verdict == DJ_VERDICT_LIKELY_IMPROVEMENT ? DJ_VERDICT_IMPROVEMENT
                                                      : verdict;
}

static void choose_direction(struct dj_range_summary *summary)
{
    static const enum dj_compare_verdict order[] = {
        DJ_VERDICT_REGRESSION, DJ_VERDICT_LIKELY_REGRESSION, DJ_VERDICT_IMPROVEMENT,
        DJ_VERDICT_LIKELY_IMPROVEMENT, DJ_VERDICT_INCONCLUSIVE};
    summary->direction =
        summary->devices > 0 ? DJ_VERDICT_EQUIVALENT : DJ_VERDICT_INCONCLUSIVE;
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        if (summary->count[order[i]] > 0) {
            summary->direction = order[i];
            break;
        }
    }
    for (size_t i = 0; i < DJ_VERDICT_COUNT; i++) {
        if (get_direction((enum dj_compare_verdict)i) ==
            get_direction(summary->direction)) {
            summary->chosen += summary->count[i];
        }
    }
}

static bool is_chosen(const struct dj_range_member *member,
                      const struct dj_range_summary *summary)
{
    return get_direction(member->verdict) == get_direction(summary->direction);
}

struct spans {
    /* Smallest and largest values of the other devices (index 0) and of the chosen
     * devices (index 1). */
    double least[2], most[2];
    size_t known[2];
};

static bool find_spans(const struct dj_range_member *members, size_t count,
                       const struct dj_range_summary *summary, size_t fact,
                       struct spans *spans)
{
    *spans =
        (struct spans){.least = {INFINITY, INFINITY}, .most = {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i++) {
        if (!members[i].measured) {
            continue;
        }
        bool chosen = is_chosen(&members[i], summary);
        double value = members[i].facts != NULL
                           ? dj_facts_class_value(members[i].facts, kinds[fact].number)
                           : NAN;
        bool known = value > 0;
        if (!known && chosen) {
            /* One of the chosen devices does not have the fact, so the fact separates
             * nothing. */
            return false;
        }
        if (known) {
            spans->least[chosen] = fmin(spans->least[chosen], value);
            spans->most[chosen] = fmax(spans->most[chosen], value);
            spans->known[chosen]++;
        }
    }
    return spans->known[0] > 0 && spans->known[1] > 0;
}

static bool is_separated_by_number(const struct dj_range_member *members, size_t count,
                                   size_t fact, struct dj_range_summary *summary)
{
    struct spans spans;
    if (!find_spans(members, count, summary, fact, &spans)) {
        return false;
    }
    bool below = spans.most[1] < spans.least[0];
    bool above = spans.least[1] > spans.most[0];
    summary->at_most = below;
    summary->bound = below ? spans.most[1] : spans.least[1];
    return below || above;
}

static const char *get_text(const struct dj_range_member *member, size_t fact)
{
    return member->facts != NULL ? (const char *)member->facts + kinds[fact].text : "";
}

static bool is_separated_by_text(const struct dj_range_member *members, size_t count,
                                 size_t fact, struct dj_range_summary *summary)
{
    const char *common = NULL;
    size_t others = 0;
    if (kinds[fact].text == 0) {
        return false;
    }
    for (size_t i = 0; i < count && common == NULL; i++) {
        bool chosen = members[i].measured && is_chosen(&members[i], summary);
        common = chosen ? get_text(&members[i], fact) : NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = get_text(&members[i], fact);
        bool same = text[0] != '\0' && strcmp(common, text) == 0;
        if (members[i].measured && same != is_chosen(&members[i], summary)) {
            /* The texts do not separate the devices: a chosen device has another text, or
             * another device has this text. */
            return false;
        }
        others += members[i].measured && text[0] != '\0' && !same;
    }
    summary->bound = NAN;
    summary->text = common;
    return others > 0;
}

/* Returns an upper bound of the chance that some fact separates the devices by accident.
 * If all devices are ordered by a fact, a random choice is at one end with a chance of 2
 * / (number of possible choices). The chances of all facts are added. */
static double compute_chance(const struct dj_range_summary *summary)
{
    double choices = 1;
    for (size_t i = 0; i < summary->chosen; i++) {
        choices *= (double)(summary->devices - i) / (double)(i + 1);
    }
    return fmin(1, 2.0 * DJ_RANGE_FACTS / choices);
}

static void find_separation(const struct dj_range_member *members, size_t count,
                            struct dj_range_summary *summary)
{
    if (summary->chosen == 0 || summary->chosen == summary->devices) {
        return;
    }
    for (size_t fact = 0; fact < DJ_RANGE_FACTS; fact++) {
        if (is_separated_by_number(members, count, fact, summary) ||
            is_separated_by_text(members, count, fact, summary)) {
            summary->separates = (enum dj_range_fact)fact;
            summary->chance = compute_chance(summary);
            return;
        }
    }
    summary->bound = NAN;
    summary->text = NULL;
}

void dj_gate_range_summarise(const struct dj_range_member *members, size_t count,
                             struct dj_range_summary *summary)
{
    *summary = (struct dj_range_summary){
        .separates = DJ_RANGE_NOTHING, .bound = NAN, .chance = NAN};
    for (size_t i = 0; i < count; i++) {
        if (members[i].measured) {
            summary->devices++;
            summary->count[members[i].verdict]++;
        } else {
            summary->missing++;
        }
    }
    choose_direction(summary);
    if (get_direction(summary->direction) == DJ_VERDICT_REGRESSION ||
        get_direction(summary->direction) == DJ_VERDICT_IMPROVEMENT) {
        find_separation(members, count, summary);
    }
}

static const char *const directions[DJ_VERDICT_COUNT] = {
    [DJ_VERDICT_REGRESSION] = "worse",
    [DJ_VERDICT_LIKELY_REGRESSION] = "likely worse",
    [DJ_VERDICT_EQUIVALENT] = "equivalent",
    [DJ_VERDICT_LIKELY_IMPROVEMENT] = "likely better",
    [DJ_VERDICT_IMPROVEMENT] = "better",
    [DJ_VERDICT_INCONCLUSIVE] = "undecided",
};

static void append_separation(struct dj_text *text,
                              const struct dj_range_summary *summary)
{
    const char *all = summary->chosen == 1 ? ", with " : ", all with ";
    if (summary->separates == DJ_RANGE_NOTHING) {
        return;
    }
    dj_text_add(text, all);
    if (isnan(summary->bound)) {
        dj_text_format(text, "%s ", kinds[summary->separates].name);
        dj_text_append_escaped_name(text, summary->text);
        return;
    }
    dj_text_format(text, "%s %s%.3g%s", summary->at_most ? "≤" : "≥",
                   kinds[summary->separates].before,
                   summary->bound / kinds[summary->separates].factor,
                   kinds[summary->separates].after);
}

/* Appends the numbers of devices that the beginning of the text does not mention: "1
 * worse, 2 better". */
static void append_rest(struct dj_text *text, const struct dj_range_summary *summary)
{
    const char *between = "; ";
    for (size_t i = 0; i < DJ_VERDICT_COUNT; i++) {
        if (summary->count[i] > 0 && get_direction((enum dj_compare_verdict)i) !=
                                         get_direction(summary->direction)) {
            dj_text_format(text, "%s%zu %s", between, summary->count[i], directions[i]);
            between = ", ";
        }
    }
    if (summary->missing > 0) {
        dj_text_format(text, "%s%zu not measured", between, summary->missing);
    }
}

void dj_gate_range_format(struct dj_text *text, const struct dj_range_summary *summary)
{
    if (summary->devices == 0) {
        dj_text_add(text, "no device was measured");
    } else {
        dj_text_format(text, "%s on %zu of %zu device%s", directions[summary->direction],
                       summary->chosen, summary->devices,
                       summary->devices == 1 ? "" : "s");
        append_separation(text, summary);
    }
    append_rest(text, summary);
}
