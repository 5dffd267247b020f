/* Arguments of methods that a script calls. A call passes arguments by position or by
 * name, and uses `.` or `:`. Tables of methods describe the parameters. All arguments are
 * checked before the method's code runs. */
#ifndef DEJANK_SCRIPT_ARGUMENTS_H
#define DEJANK_SCRIPT_ARGUMENTS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum dj_argument_kind {
    /* A string without NUL, or a number, which is converted to digits. */
    DJ_ARGUMENT_STRING,
    /* A whole number. A fraction is rounded down, as in divisions of Python 2. */
    DJ_ARGUMENT_INTEGER,
    DJ_ARGUMENT_NUMBER,  /* A finite number. */
    DJ_ARGUMENT_NUMBERS, /* A table of finite numbers, for example {x, y}. */
    DJ_ARGUMENT_STRINGS, /* A table of strings. */
    DJ_ARGUMENT_LIST,    /* A table of any values. */
    DJ_ARGUMENT_MAP, /* A table with string keys. It is never read as named arguments. */
    DJ_ARGUMENT_FUNCTION, /* Any callable value. */
    DJ_ARGUMENT_OBJECT,   /* An object of the method's own class. */
    DJ_ARGUMENT_ANY
};

struct dj_parameter {
    const char *name;
    const char *also; /* A second name of the parameter, or NULL. */
    enum dj_argument_kind kind;
    bool required;
};

/* Macros for the rows of tables of parameters, for example DJ_REQUIRED("x", INTEGER). */
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
    /* Lua function for the method. The argument of each parameter is at the parameter's
     * number, from 1. If an argument is missing, nil is at this number. The object
     * follows the last argument. */
    lua_CFunction call;
    /* The parameters. The array ends with the first element without a name. */
    struct dj_parameter parameters[DJ_PARAMETERS_MAX];
};

/* Pushes the method as a function. The function is bound to the value at the index
 * `object`: an object, or the class's table if the method needs no object. Scripts may
 * pass this value as first argument (`o:m(x)`) or not (`o.m(x)`, as in Python). If the
 * last argument is a table with names of parameters as keys, its values are named
 * arguments. `class_name` and `method` must outlive the state. Arguments of kind
 * DJ_ARGUMENT_OBJECT must have the metatable `class_name`. */
void dj_method_push(lua_State *L, const char *class_name, const struct dj_method *method,
                    int object);

/* Returns the method with that name, or NULL. */
const struct dj_method *dj_method_find(const struct dj_method *methods, const char *name);

/* Creates the metatable `class_name` for objects with these methods and pushes it. The
 * array of methods ends with the first element without a name. The caller may add
 * metamethods. */
void dj_class_push(lua_State *L, const char *class_name, const struct dj_method *methods);

/* Adds the methods as functions to the table on top of the stack. */
void dj_methods_set(lua_State *L, const char *class_name,
                    const struct dj_method *methods);

#endif
