import recipes from '#public/recipes.json' with { type: 'json' };

/** In the order of the page. */
export const RECIPE_NAMES = Object.keys(recipes) as (keyof typeof recipes)[];
