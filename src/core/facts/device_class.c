#include "facts/device_class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Units that a condition may use for each fact, with their factors. Output uses the first
 * unit. */
static const struct unit {
    const char *name;
    double factor;
} units[DJ_FACT_COUNT][5] = {
    [DJ_FACT_RAM] = {{"GB", 1e9}, {"MB", 1e6}, {"GiB", 1073741824}, {"MiB", 1048576}},
    [DJ_FACT_CORES] = {{"", 1}},
    [DJ_FACT_CPU_HZ] = {{"GHz", 1e9}, {"MHz", 1e6}},
    [DJ_FACT_API] = {{"", 1}},
    [DJ_FACT_DENSITY] = {{"dpi", 1}, {"", 1}},
    [DJ_FACT_REFRESH] = {{"Hz", 1}, {"", 1}},
    [DJ_FACT_WIDTH] = {{"dp", 1}, {"", 1}},
    [DJ_FACT_EMULATOR] = {{"", 1}},
};

const char *const dj_facts_class_keys[] = {
    [DJ_FACT_RAM] = "ram",         [DJ_FACT_CORES] = "cores",
    [DJ_FACT_CPU_HZ] = "cpu",      [DJ_FACT_API] = "api",
    [DJ_FACT_DENSITY] = "density", [DJ_FACT_REFRESH] = "refresh",
    [DJ_FACT_WIDTH] = "width",     [DJ_FACT_EMULATOR] = "emulator",
    [DJ_FACT_COUNT] = "model",
};
const size_t dj_facts_class_key_count = COUNT_OF(dj_facts_class_keys);

/* Built-in classes. Android calls devices below the lower memory limit low-memory
 * devices. Current flagship phones exceed the upper limit. */
static const struct dj_device_class known[] = {
    {.name = "low-end",
     .needs = {{DJ_FACT_RAM, -INFINITY, 3e9, false, true}},
     .need_count = 1},
    {.name = "high-end",
     .needs = {{DJ_FACT_RAM, 8e9, INFINITY, false, false}},
     .need_count = 1},
    {.name = "tablet",
     .needs = {{DJ_FACT_WIDTH, 600, INFINITY, false, false}},
     .need_count = 1},
    {.name = "phone",
     .needs = {{DJ_FACT_WIDTH, -INFINITY, 600, false, true}},
     .need_count = 1},
    {.name = "high-refresh",
     .needs = {{DJ_FACT_REFRESH, 60, INFINITY, true, false}},
     .need_count = 1},
    {.name = "any", .need_count = 0},
};

static double known_or_nan(double value)
{
    return value < 0 ? NAN : value;
}

/* Returns the width of the display's shorter side in dp, as Android's resource qualifiers
 * use it. */
static double width_dp(const struct dj_device_facts *facts)
{
    int side = facts->width_px < facts->height_px ? facts->width_px : facts->height_px;
    return side > 0 && facts->density_dpi > 0 ? side * 160.0 / facts->density_dpi : NAN;
}

static double highest_rate(const struct dj_device_facts *facts)
{
    double highest = facts->refresh_hz;
    for (size_t i = 0; i < facts->rate_count; i++) {
        highest =
            isnan(highest) || facts->rates_hz[i] > highest ? facts->rates_hz[i] : highest;
    }
    return highest;
}

double dj_facts_class_value(const struct dj_device_facts *facts, enum dj_class_fact fact)
{
    switch (fact) {
    case DJ_FACT_RAM:
        return known_or_nan((double)facts->ram_bytes);
    case DJ_FACT_CORES:
        return known_or_nan(facts->cores);
    case DJ_FACT_CPU_HZ:
        return known_or_nan((double)facts->cpu_max_hz);
    case DJ_FACT_API:
        return known_or_nan(facts->api);
    case DJ_FACT_DENSITY:
        return known_or_nan(facts->density_dpi);
    case DJ_FACT_REFRESH:
        return highest_rate(facts);
    case DJ_FACT_WIDTH:
        return width_dp(facts);
    case DJ_FACT_EMULATOR:
        return known_or_nan(facts->emulator);
    default:
        return NAN;
    }
}

static bool meets_condition(double value, const struct dj_class_need *need)
{
    return !isnan(value) && (need->above ? value > need->least : value >= need->least) &&
           (need->below ? value < need->most : value <= need->most);
}

bool dj_facts_class_matches(const struct dj_device_class *class,
                            const struct dj_device_facts *facts)
{
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_class_need *need = &class->needs[i];
        if (!meets_condition(dj_facts_class_value(facts, need->fact), need)) {
            return false;
        }
    }
    return class->model == NULL || strcasestr(facts->model, class->model) != NULL;
}

static void append_bound(struct dj_text *text, const struct dj_class_need *need,
                         double bound)
{
    const struct unit *unit = &units[need->fact][0];
    dj_text_format(text, "%.6g%s%s", bound / unit->factor,
                   unit->name[0] != '\0' ? " " : "", unit->name);
}

void dj_facts_class_format(struct dj_text *text, const struct dj_device_class *class)
{
    for (size_t i = 0; i < class->need_count; i++) {
        const struct dj_class_need *need = &class->needs[i];
        dj_text_format(text, "%s%s", i > 0 ? ", " : "", dj_facts_class_keys[need->fact]);
        if (need->fact == DJ_FACT_EMULATOR) {
            dj_text_add(text, need->least > 0 ? " yes" : " no");
            continue;
        }
        if (need->least == need->most) {
            dj_text_add(text, " ");
            append_bound(text, need, need->least);
            continue;
        }
        if (isfinite(need->least)) {
            dj_text_add(text, need->above ? " > " : " ≥ ");
            append_bound(text, need, need->least);
        }
        if (isfinite(need->most)) {
            dj_text_add(text, need->below ? " < " : " ≤ ");
            append_bound(text, need, need->most);
        }
    }
    if (class->model != NULL) {
        dj_text_format(text, "%smodel ", class->need_count > 0 ? ", " : "");
        dj_text_append_escaped_name(text, class->model);
    }
}

/* Parses a number and one of the units of the fact, such as "3 GB". Moves *at to the
 * end. */
static bool read_value(const char **at, enum dj_class_fact fact, double *value)
{
    char *end;
    *at += strspn(*at, " ");
    if (**at == '\0' || strchr("0123456789.", **at) == NULL) {
        return false;
    }
    double number = strtod(*at, &end);
    const char *name = end + strspn(end, " ");
    size_t length = strcspn(name, " .<>=");
    for (size_t i = 0; i < COUNT_OF(units[fact]); i++) {
        const struct unit *unit = &units[fact][i];
        if (unit->name != NULL && strlen(unit->name) == length &&
            strncasecmp(name, unit->name, length) == 0) {
            *value = number * unit->factor;
            *at = name + length;
            return isfinite(number);
        }
    }
    return false;
}

/* Parses a condition such as "< 3 GB", "2..4 GB" or "8 GB". */
static bool read_bounds(const char *text, enum dj_class_fact fact,
                        struct dj_class_need *need)
{
    static const struct {
        const char *word;
        bool upper, strict;
    } signs[] = {{"<=", true, false}, {">=", false, false}, {"≤", true, false},
                 {"≥", false, false}, {"<", true, true},    {">", false, true}};
    const char *at = text + strspn(text, " ");
    *need = (struct dj_class_need){.fact = fact, .least = -INFINITY, .most = INFINITY};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        if (strncmp(at, signs[i].word, strlen(signs[i].word)) == 0) {
            at += strlen(signs[i].word);
            *(signs[i].upper ? &need->below : &need->above) = signs[i].strict;
            return read_value(&at, fact, signs[i].upper ? &need->most : &need->least) &&
                   at[strspn(at, " ")] == '\0';
        }
    }
    const char *dots = strstr(at, "..");
    if (dots != NULL) {
        char *end;
        const char *second = dots + 2;
        double least = strtod(at, &end);
        if ((end != dots && end != dots + 1) || end == at ||
            !read_value(&second, fact, &need->most)) {
            return false;
        }
        double most = strtod(dots + 2, NULL);
        need->least = most > 0 ? least * (need->most / most) : least;
        return second[strspn(second, " ")] == '\0' && need->least <= need->most;
    }
    bool read = read_value(&at, fact, &need->least) && at[strspn(at, " ")] == '\0';
    need->most = need->least;
    return read;
}

static bool read_yes(const char *text, struct dj_class_need *need)
{
    bool yes = strcasecmp(text, "yes") == 0 || strcasecmp(text, "true") == 0;
    bool no = strcasecmp(text, "no") == 0 || strcasecmp(text, "false") == 0;
    *need = (struct dj_class_need){
        .fact = DJ_FACT_EMULATOR, .least = yes ? 1 : 0, .most = yes ? 1 : 0};
    return yes || no;
}

bool dj_facts_class_parse_need(const char *text, enum dj_class_fact fact,
                               struct dj_class_need *need)
{
    return fact == DJ_FACT_EMULATOR ? read_yes(text, need)
                                    : read_bounds(text, fact, need);
}

const char *dj_facts_class_unit(enum dj_class_fact fact)
{
    return units[fact][0].name;
}

const struct dj_device_class *dj_facts_class_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strcmp(known[i].name, name) == 0) {
            return &known[i];
        }
    }
    return NULL;
}

size_t dj_facts_class_names(const char *names[DJ_CLASSES_KNOWN])
{
    _Static_assert(COUNT_OF(known) == DJ_CLASSES_KNOWN, "all of them");
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        names[i] = known[i].name;
    }
    return COUNT_OF(known);
}
