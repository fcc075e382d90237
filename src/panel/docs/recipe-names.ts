import recipes from '#public/recipes.json' with { type: 'json' };

/** The recipes' names, in the order of the page. */
export const RECIPE_NAMES = Object.keys(recipes) as (keyof typeof recipes)[];
