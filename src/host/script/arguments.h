/* Arguments of methods that a script calls: by position or by name, with `.` or with
 * `:`, as tables of the methods describe. All arguments are checked before the
 * method's code runs. */
#ifndef DEJANK_SCRIPT_ARGUMENTS_H
#define DEJANK_SCRIPT_ARGUMENTS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum dj_argument_kind {
    DJ_ARGUMENT_STRING,   /* also a number, converted to digits; contains no NUL */
    DJ_ARGUMENT_INTEGER,  /* a fraction is truncated, as in divisions of Python 2 */
    DJ_ARGUMENT_NUMBER,   /* finite */
    DJ_ARGUMENT_NUMBERS,  /* {x, y}, {x, y, w, h}: a table of finite numbers only */
    DJ_ARGUMENT_STRINGS,  /* a table of strings */
    DJ_ARGUMENT_LIST,     /* a table of any values */
    DJ_ARGUMENT_MAP,      /* a table with string keys; never read as named arguments */
    DJ_ARGUMENT_FUNCTION, /* any callable value */
    DJ_ARGUMENT_OBJECT,   /* of the method's own class */
    DJ_ARGUMENT_ANY
};

struct dj_parameter {
    const char *name;
    const char *also; /* a second name of the parameter; NULL: none */
    enum dj_argument_kind kind;
    bool required;
};

/* For tables of parameters: DJ_REQUIRED("x", INTEGER). */
#define DJ_PARAMETER(name, kind, required)                                               \
    {                                                                                    \
        name, NULL, DJ_ARGUMENT_##kind, required                                         \
    }
#define DJ_REQUIRED(name, kind) DJ_PARAMETER(name, kind, true)
#define DJ_OPTIONAL(name, kind) DJ_PARAMETER(name, kind, false)
#define DJ_NOTHING DJ_OPTIONAL(NULL, ANY)

enum { DJ_PARAMETERS_MAX = 8 };

struct dj_method {
    const char *name;
    /* Gets each argument at the index of its parameter, from 1, with nil for missing
     * ones, and then the object. */
    lua_CFunction call;
    struct dj_parameter parameters[DJ_PARAMETERS_MAX]; /* ends at the first one without
                                                        * a name */
};

/* Pushes the method as a function. It is bound to one object (index `object`), or
 * belongs to the class's table if it needs no object. It may be called with that
 * object as first argument (`o:m(x)`) or without it (`o.m(x)`, as in Python). A table
 * of parameter names as last argument contains named arguments. `class_name` and
 * `method` must outlive the state. Objects of DJ_ARGUMENT_OBJECT have the metatable
 * `class_name`. */
void dj_method_push(lua_State *L, const char *class_name, const struct dj_method *method,
                    int object);

/* Returns the method with that name, or NULL. */
const struct dj_method *dj_method_find(const struct dj_method *methods, const char *name);

/* Creates the metatable `class_name` for objects with these methods (up to the first
 * one without a name) and pushes it. The caller may add metamethods. */
void dj_class_push(lua_State *L, const char *class_name, const struct dj_method *methods);

/* Adds the methods as functions to the table on top of the stack. */
void dj_methods_set(lua_State *L, const char *class_name,
                    const struct dj_method *methods);

#endif
